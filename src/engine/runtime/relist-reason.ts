import { CodedError } from '../../core/base/coded-error.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../../core/base/json.ts'
import { ApiError, heededRetryAfter, isGone } from '../../core/kube/api-error.ts'

/** Why a kind is listed again, as a label of a metric. */
export type RelistReason =
  | 'first'
  | 'expired'
  | 'tooLargeVersion'
  | 'notServed'
  | 'outOfOrder'
  | 'fruitless'
  | 'inconsistent'
  | 'asked'

/** Why a failed watch or list needs a new list; `undefined` if the watch can be resumed. */
export function relistReasonOf(error: unknown): RelistReason | undefined {
  if (isGone(error)) return 'expired'
  if (isTooLargeVersion(error)) return 'tooLargeVersion'
  if (error instanceof ApiError && error.httpStatus === 404) return 'notServed'
  if (error instanceof CodedError && error.code === 'OutOfOrder') return 'outOfOrder'
  return undefined
}

/** Whether the server refuses to stream a list (WatchList). Older servers do that in several ways. */
export function refusesWatchList(error: unknown): boolean {
  if (isSilence(error) || (error instanceof CodedError && error.code === 'NoInitialEvents')) return true
  return error instanceof ApiError && [400, 405, 406, 422].includes(error.httpStatus)
}

/** Whether a watch was silent for too long: it brought neither an event nor a bookmark. */
export function isSilence(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'WatchSilent'
}

/** The `Status` of an ERROR event, as an error. */
export function errorOfStatus(status: JsonObject): ApiError {
  const { code, reason, message, details } = status
  const asked = isJsonObject(details) ? details.retryAfterSeconds : undefined
  return new ApiError(
    typeof code === 'number' ? code : 500,
    typeof reason === 'string' ? reason : 'Unknown',
    `the server ended the watch: ${typeof message === 'string' ? message : 'it does not say why'}`,
    { status, retryAfterSeconds: heededRetryAfter(typeof asked === 'number' ? asked : undefined) },
  )
}

/** Whether the server is behind the known version: its data was restored, or it is a replica that lags. */
function isTooLargeVersion(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const details = error.status?.details
  const causes = isJsonObject(details) && isJsonArray(details.causes) ? details.causes : []
  if (causes.some((cause) => isJsonObject(cause) && cause.reason === 'ResourceVersionTooLarge')) return true
  return error.message.includes('Too large resource version')
}
