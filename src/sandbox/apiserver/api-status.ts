import type { JsonObject } from '../../core/base/json.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import type { GroupKind } from '../../core/kube/group-version-kind.ts'

/** What an answer of failure is about: the plural of the resource, as in `deployments.apps "web" not found`. */
export interface GroupResource {
  readonly group: string
  readonly plural: string
}

/** One entry of `details.causes`. */
export interface StatusCause {
  readonly reason: string
  readonly message: string
  readonly field?: string | undefined
}

export interface StatusOptions {
  readonly details?: JsonObject | undefined
  readonly retryAfterSeconds?: number | undefined
  /** Of the Status itself: an expired list carries a token there. */
  readonly metadata?: JsonObject | undefined
}

/** A refusal with its `Status` body. Texts, codes and reasons are those of the real server. */
export function statusError(code: number, reason: string, message: string, options: StatusOptions = {}): ApiError {
  const { details, retryAfterSeconds, metadata = {} } = options
  const allDetails = retryAfterSeconds === undefined ? details : { ...details, retryAfterSeconds }
  const status: JsonObject = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason !== '' && { reason }),
    ...(allDetails && { details: allDetails }),
    code,
  }
  return new ApiError(code, reason, message, { status, retryAfterSeconds })
}

/** `deployments.apps`, or `pods` for the core group. */
export function formatGroupResource({ group, plural }: GroupResource): string {
  return group === '' ? plural : `${plural}.${group}`
}

export function notFound(resource: GroupResource, name: string): ApiError {
  const message = `${formatGroupResource(resource)} ${quote(name)} not found`
  return statusError(404, 'NotFound', message, { details: detailsOf(resource, name) })
}

export function alreadyExists(resource: GroupResource, name: string): ApiError {
  const message = `${formatGroupResource(resource)} ${quote(name)} already exists`
  return statusError(409, 'AlreadyExists', message, { details: detailsOf(resource, name) })
}

export function conflict(resource: GroupResource, name: string, cause: string): ApiError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quote(name)}: ${cause}`
  return statusError(409, 'Conflict', message, { details: detailsOf(resource, name) })
}

/** The conflict of an optimistic lock. */
export function staleVersion(resource: GroupResource, name: string): ApiError {
  const cause = 'the object has been modified; please apply your changes to the latest version and try again'
  return conflict(resource, name, cause)
}

export function forbidden(
  resource: GroupResource,
  name: string,
  cause: string,
  causes?: readonly StatusCause[],
): ApiError {
  const subject = name === '' ? formatGroupResource(resource) : `${formatGroupResource(resource)} ${quote(name)}`
  const details = { ...detailsOf(resource, name), ...(causes && { causes: causes.map(causeOf) }) }
  return statusError(403, 'Forbidden', `${subject} is forbidden: ${cause}`, { details })
}

export function badRequest(message: string): ApiError {
  return statusError(400, 'BadRequest', message)
}

export function expired(message: string): ApiError {
  return statusError(410, 'Expired', message)
}

/** 422: one cause for each field in error. */
export function invalid(kind: GroupKind, name: string, causes: readonly StatusCause[]): ApiError {
  const subject = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
  const texts = [...new Set(causes.map(({ field, message }) => (field ? `${field}: ${message}` : message)))]
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const message = `${subject} ${quote(name)} is invalid: ${list}`
  const details = {
    ...(name !== '' && { name }),
    ...(kind.group !== '' && { group: kind.group }),
    ...(kind.kind !== '' && { kind: kind.kind }),
    ...(causes.length > 0 && { causes: causes.map(causeOf) }),
  }
  return statusError(422, 'Invalid', message, { details })
}

export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource'
  return statusError(405, 'MethodNotAllowed', message, { details: {} })
}

export function notSupported(resource: GroupResource, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind ${quote(formatGroupResource(resource))}`
  return statusError(405, 'MethodNotAllowed', message, { details: detailsOf(resource, '') })
}

/** 404 of a path below a built-in group. */
export function nothingThere(): ApiError {
  return statusError(404, 'NotFound', 'the server could not find the requested resource', { details: {} })
}

export function internalError(cause: string): ApiError {
  const details = { causes: [{ message: cause }] }
  return statusError(500, 'InternalError', `Internal error occurred: ${cause}`, { details })
}

/** Go's `%q`, which the texts of the server use. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text).replace(UNPRINTABLE, goEscape)
  return escaped.replace(/\\u00([01][0-9a-f])/g, (_all, code: string) => GO_ESCAPES[code] ?? `\\x${code}`)
}

/** What is no letter, mark, number, punctuation, symbol or plain space: not `unicode.IsPrint` to Go. */
export const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

function goEscape(character: string): string {
  const code = character.codePointAt(0) as number
  if (code === 0x7f) return '\\x7f'
  const digits = code.toString(16)
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
}

const GO_ESCAPES: Readonly<Record<string, string>> = { '07': '\\a', '0b': '\\v' }

function detailsOf({ group, plural }: GroupResource, name: string): JsonObject {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural }
}

function causeOf({ reason, message, field }: StatusCause): JsonObject {
  return { reason, ...(message !== '' && { message }), ...(field !== undefined && field !== '' && { field }) }
}
