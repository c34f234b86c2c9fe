import type { JsonObject } from '../../core/base/json.ts'

/** A path that an admin server answers. Everything is read-only: methods are GET and HEAD. */
export interface AdminRoute {
  /** Exact, or the beginning of a path when it ends in `/`. The longest that fits is taken. */
  readonly path: string
  /** `authorized`: only for whom the server's `authorize` lets pass. */
  readonly access: 'public' | 'authorized'
  handle(request: AdminRequest): Promise<AdminAnswer> | AdminAnswer
}

export interface AdminRequest {
  /** As it was sent, without the query: nothing is decoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** Aborts when the client is gone or has waited for too long. */
  readonly signal: AbortSignal
  /** A header by its name in lower case. */
  header(name: string): string | undefined
}

export interface AdminAnswer {
  readonly status: number
  readonly body: string
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export function textAnswer(status: number, body: string): AdminAnswer {
  return { status, body, contentType: 'text/plain; charset=utf-8' }
}

export function jsonAnswer(status: number, value: JsonObject): AdminAnswer {
  return { status, body: `${JSON.stringify(value)}\n`, contentType: 'application/json' }
}

const REASONS = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'Timeout',
  413: 'RequestEntityTooLarge',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
} as const

export type RefusalCode = keyof typeof REASONS

/** A refusal, as a Kubernetes `Status`. */
export function statusAnswer(code: RefusalCode, message: string): AdminAnswer {
  const reason = REASONS[code]
  return jsonAnswer(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code })
}
