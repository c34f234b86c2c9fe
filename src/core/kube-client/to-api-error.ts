import { CodedError, explain } from '../base/coded-error.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { ApiError, heededRetryAfter } from '../kube/api-error.ts'

/** An answer of a server, read completely. */
export interface HttpAnswer {
  readonly httpStatus: number
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly text: string
}

/** From an answer that is no success. Bodies that are no `Status` (a proxy's HTML, a cut answer) are quoted in brief. */
export function toApiError(answer: HttpAnswer, action: string, now: number): ApiError {
  const status = parseStatus(answer.text)
  const asked = retryAfterOf(answer, now) ?? numberIn(status?.details, 'retryAfterSeconds')
  const reason = textIn(status, 'reason') ?? REASONS[answer.httpStatus] ?? 'Unknown'
  const message =
    textIn(status, 'message') ?? `cannot ${action}: the server answered ${answer.httpStatus}${quote(answer)}`
  if (isUndeclaredField(answer.httpStatus, message)) return new ApiError(422, 'Invalid', message, { status })
  return new ApiError(answer.httpStatus, reason, message, { status, retryAfterSeconds: heededRetryAfter(asked) })
}

/** An apply with a field that the schema does not declare is answered with 500, although trying again never helps. */
function isUndeclaredField(httpStatus: number, message: string): boolean {
  return httpStatus === 500 && message.startsWith('failed to create typed patch object')
}

/** From a request without an answer that can be read: what it did is unknown. */
export function noAnswer(action: string, cause: unknown): ApiError {
  return new ApiError(0, 'NoAnswer', `cannot ${action}: no answer from the server`, { cause })
}

/** Whether a failed request never left this machine, so that it certainly had no effect. */
export function wasNeverSent({ cause }: ApiError): boolean {
  return cause instanceof Error && 'code' in cause && NEVER_SENT.has(String(cause.code))
}

/** Seconds that the `Retry-After` header asks for, given as a number or as a date. */
export function retryAfterOf({ headers }: HttpAnswer, now: number): number | undefined {
  const text = headers['retry-after']
  if (typeof text !== 'string') return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** The JSON object in an answer of success. */
export function parseAnswer({ text }: HttpAnswer, action: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    throw noAnswer(action, new CodedError('BadAnswer', `the answer is not complete JSON (${explain(error)})`))
  }
  throw noAnswer(action, new CodedError('BadAnswer', 'the answer is not a JSON object'))
}

const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** As client-go names answers that carry no Status. */
const REASONS: { readonly [httpStatus: number]: string } = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function parseStatus(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && value.kind === 'Status' ? value : undefined
  } catch {
    return undefined
  }
}

/** Characters of an answer that is no `Status`: what it is about stands at its beginning. */
const MOST_READ = 10_000

function quote({ text }: HttpAnswer): string {
  const brief = text
    .slice(0, MOST_READ)
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .trim()
    .slice(0, 120)
  return brief === '' ? '' : ` ("${brief}")`
}

function textIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function numberIn(value: unknown, name: string): number | undefined {
  const found = isJsonObject(value) ? value[name] : undefined
  return typeof found === 'number' ? found : undefined
}
