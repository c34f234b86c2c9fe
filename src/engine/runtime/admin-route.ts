import type { JsonObject } from '../../core/base/json.ts'

/** A path that an admin server answers. Everything is read-only: methods are GET and HEAD. */
export interface AdminRoute {
  /** An exact path, or a prefix if it ends in `/`. The longest match counts. */
  readonly path: string
  /** `authorized`: only for callers that `authorize` of the server allows. */
  readonly access: 'public' | 'authorized'
  handle(request: AdminRequest): Promise<AdminAnswer> | AdminAnswer
}

export interface AdminRequest {
  /** The path as it was sent, not decoded and without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Aborts when the client is gone or the answer takes too long. */
  readonly signal: AbortSignal
  /** A header by its name in lower case. */
  header(name: string): string | undefined
}

export interface AdminAnswer {
  readonly status: number
  readonly body: string
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sends what follows the body, for as long as it takes. `signal` aborts when the client is gone or the server stops. */
  readonly stream?: ((send: SendText, signal: AbortSignal) => Promise<void>) | undefined
}

/** Sends a text. Resolves when there is room for the next one, or the client is gone: a client that takes nothing is dropped. */
export type SendText = (text: string) => Promise<void>

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
