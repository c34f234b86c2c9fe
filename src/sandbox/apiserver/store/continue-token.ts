import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { goSyntaxError } from '../../../core/schema/go-syntax-error.ts'
import { badRequest } from '../api-status.ts'
import { jsonKindOf } from '../patch/patch-error.ts'

/** The start of the next page of a list, and its revision. A negative revision means "now", after the first one has expired. */
export interface ContinueToken {
  readonly revision: number
  /** The first key that may be on the page: one that ends in NUL is just behind that of an object. */
  readonly start: string
}

const VERSION = 'meta.k8s.io/v1'

/** Keys in tokens are relative to what is listed: of one namespace they are names. */
export function encodeContinueToken({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start })).toString('base64url')
}

/** @throws ApiError 400 */
export function decodeContinueToken(text: string): ContinueToken {
  // As in Go, null is nothing.
  const token = parse(decodeBase64(text)) ?? {}
  if (!isJsonObject(token)) throw refuse(`${CANNOT_UNMARSHAL} ${jsonKindOf(token)} into Go value of type ${TYPE}`)
  const [v, rv, start] = [token.v ?? '', token.rv ?? 0, token.start ?? '']
  if (typeof v !== 'string') throw wrongType(v, 'v of type string')
  if (typeof rv !== 'number') throw wrongType(rv, 'rv of type int64')
  if (typeof start !== 'string') throw wrongType(start, 'start of type string')
  if (v !== VERSION) throw refuse(`server does not recognize this encoded version ${v}`)
  if (rv === 0) throw refuse(`incorrect encoded start resourceVersion (version ${VERSION})`)
  if (start === '') throw refuse(`encoded start key empty (version ${VERSION})`)
  if (leadsAway(start)) throw refuse(start)
  return { revision: rv, start }
}

const TYPE = 'storage.continueToken'
const CANNOT_UNMARSHAL = 'json: cannot unmarshal'

function refuse(cause: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${cause}`)
}

function wrongType(value: JsonValue, field: string): Error {
  return refuse(`${CANNOT_UNMARSHAL} ${jsonKindOf(value)} into Go struct field continueToken.${field}`)
}

/** A path that is not in its simplest form could climb out of the list. */
function leadsAway(start: string): boolean {
  return start
    .replace(/^\//, '')
    .split('/')
    .some((part) => part === '' || part === '.' || part === '..')
}

function decodeBase64(text: string): string {
  const wrong = text.search(/[^\w-]/)
  const end = wrong === -1 && text.length % 4 === 1 ? text.length - 1 : wrong
  if (end !== -1) throw refuse(`illegal base64 data at input byte ${end}`)
  return Buffer.from(text, 'base64url').toString()
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse(goSyntaxError(text))
  }
}
