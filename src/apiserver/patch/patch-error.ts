import { CodedError } from '../../base/coded-error.ts'
import type { FieldError } from '../../schema/field-error.ts'

/** A patch that the server refuses. `message` is worded as the real server does. */
export class PatchError extends CodedError {
  readonly httpStatus: number
  /** Reason of the Status: `BadRequest`, `Invalid`, `InternalError`. */
  readonly reason: string
  /** What stands in `details.causes`; empty for most. */
  readonly causes: readonly FieldError[]

  constructor(httpStatus: number, reason: string, message: string, causes: readonly FieldError[] = []) {
    super(reason, message)
    this.httpStatus = httpStatus
    this.reason = reason
    this.causes = causes
  }
}

export function badRequest(message: string): PatchError {
  return new PatchError(400, 'BadRequest', message)
}

export function internalError(message: string): PatchError {
  return new PatchError(500, 'InternalError', message)
}
