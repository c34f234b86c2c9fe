import type { JsonValue } from '../../../core/base/json.ts'
import type { ApiError } from '../../../core/kube/api-error.ts'

/** What a request is answered with. */
export type Reply = BodyReply | StreamReply

/** No reply at all: the connection is cut, or stays and nothing comes. */
export type Silence = 'drop' | 'stall'

export interface BodyReply {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer | string
  /** Only so much of the body is sent, although its whole length was announced. */
  readonly cut?: { readonly bytes: number; readonly rest: 'close' | 'stall' } | undefined
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined
}

export interface StreamReply {
  readonly status: number
  readonly contentType: string
  /** Called once the head is sent. */
  readonly stream: (sink: ReplySink) => void
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined
}

/** Where a stream goes. */
export interface ReplySink {
  /** False when the other side does not keep up: wait for `onDrain`. */
  write(chunk: Buffer): boolean
  onDrain(listener: () => void): void
  onClose(listener: () => void): void
  end(): void
}

export function jsonReply(value: JsonValue, status = 200): BodyReply {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` }
}

export function textReply(text: string, status = 200): BodyReply {
  return { status, contentType: 'text/plain; charset=utf-8', body: text }
}

/** Where no handler is. */
export function pageNotFound(): BodyReply {
  return textReply('404 page not found\n', 404)
}

export function errorReply(error: ApiError): BodyReply {
  const reply = jsonReply({ ...error.status }, error.httpStatus)
  const seconds = error.retryAfterSeconds
  return seconds === undefined ? reply : { ...reply, headers: { 'Retry-After': String(seconds) } }
}
