import { CodedError } from '../base/coded-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'

export interface ApiErrorOptions extends ErrorOptions {
  /** The `Status` body of the answer, when there was one. */
  readonly status?: JsonObject | undefined
  /** From the `Retry-After` header or the Status. */
  readonly retryAfterSeconds?: number | undefined
}

/** A request that the API server refused, or that got no answer (`httpStatus` 0: its effect is unknown). */
export class ApiError extends CodedError {
  readonly httpStatus: number
  /** The machine-readable reason of the Status (`NotFound`, `Conflict`, …), or `NoAnswer`. */
  readonly reason: string
  readonly status: JsonObject | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(httpStatus: number, reason: string, message: string, options: ApiErrorOptions = {}) {
    super(reason, message, options)
    this.httpStatus = httpStatus
    this.reason = reason
    this.status = options.status
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  /** `details.causes` of the Status: one field error or conflict each. */
  get causes(): readonly ApiErrorCause[] {
    const details = this.status?.details
    const causes: JsonValue | undefined = isJsonObject(details) ? details.causes : undefined
    return Array.isArray(causes) ? causes.filter(isJsonObject) : []
  }
}

const LONGEST_RETRY_AFTER = 60

/** For how many of the seconds that an answer asks for anything waits: a webhook may ask for days, or for less than none. */
export function heededRetryAfter(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.min(Math.max(0, seconds), LONGEST_RETRY_AFTER)
}

export type ApiErrorCause = { readonly reason?: string; readonly message?: string; readonly field?: string }

export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.httpStatus === 404
}

/** A 409 with any reason: a stale version, a field conflict, a name that is taken. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.httpStatus === 409
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === 'AlreadyExists'
}

/** 410: the resourceVersion or continue token is too old; list again. */
export function isGone(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && (error.httpStatus === 410 || error.reason === 'Expired' || error.reason === 'Gone')
  )
}

export function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.httpStatus === 403
}

/** A new object was refused because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  return error instanceof ApiError && error.causes.some(({ reason }) => reason === 'NamespaceTerminating')
}

export function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.httpStatus === 422
}

/** No answer, 408, 429 or 5xx: the same request may succeed later although nothing has changed. */
export function isTransient(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return error.httpStatus === 0 || error.httpStatus === 408 || error.httpStatus === 429 || error.httpStatus >= 500
}
