import { CodedError } from '../../../core/base/coded-error.ts'
import type { JsonValue } from '../../../core/base/json.ts'
import { goTypeOf } from '../apply/go-format.ts'

/** A patch that the server refuses. `message` is worded as the real server does. */
export class PatchError extends CodedError {
  readonly httpStatus: number
  /** Reason of the Status: `BadRequest`, `Invalid`; empty with 500, as in the real server. */
  readonly reason: string

  constructor(httpStatus: number, reason: string, message: string, options?: ErrorOptions) {
    super(reason, message, options)
    this.httpStatus = httpStatus
    this.reason = reason
  }
}

export function badRequest(message: string): PatchError {
  return new PatchError(400, 'BadRequest', message)
}

/** What the real server answers to patches that cannot be applied. `why` stays in the cause, and clients do not see it. */
export function unprocessable(why: string): PatchError {
  const message = 'the server rejected our request due to an error in our request'
  return new PatchError(422, 'Invalid', message, { cause: new Error(why) })
}

export function internalError(message: string): PatchError {
  return new PatchError(500, '', message)
}

/** `expected` is a Go type. To Go null has none, and prints so. */
export function badArgumentType(expected: string, value: JsonValue): PatchError {
  return internalError(`expected a ${expected}, but received a ${value === null ? '%!s(<nil>)' : goTypeOf(value)}`)
}

/** The kind of a JSON value in messages of Go's decoder, to which null is no mistake. */
export function jsonKindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
