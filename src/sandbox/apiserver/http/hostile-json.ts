import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import { badRequest } from '../api-status.ts'

const MAX_DEPTH = 1000

/**
 * JSON text to data, unless it is nested so deeply that walking it would end the stack, or has a key by which
 * JavaScript would change prototypes.
 *
 * @throws SyntaxError, TooDeepError, and ApiError 400 for hostile text
 */
export function parseHostileJson(text: string): JsonValue {
  const opener = openerBeyond(text)
  if (opener !== undefined) throw new TooDeepError(opener)
  const value: JsonValue = JSON.parse(text)
  if (/proto|\\u/.test(text) && hasProtoKey(value)) throw badRequest('json: a field must not be called __proto__')
  return LONE_SURROGATE.test(text) ? wellFormed(value) : value
}

/** Half of a character, which no text in UTF-8 can hold. */
const LONE_SURROGATE = /\\u[dD][89a-fA-F]/

function wellFormed(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value), (_key, inner: JsonValue) =>
    typeof inner === 'string' ? inner.toWellFormed() : inner,
  )
}

/** A text that is nested too deeply. */
export class TooDeepError extends ApiError {
  /** The bracket that was one too many. */
  readonly opener: string

  constructor(opener: string) {
    const { httpStatus, reason, message, status } = badRequest('json: exceeded max depth')
    super(httpStatus, reason, message, { status })
    this.opener = opener
  }
}

/** The bracket that is one too many; `undefined` when there is none. */
function openerBeyond(text: string): string | undefined {
  if (!hasManyOpeners(text)) return undefined
  let depth = 0
  for (const letter of text.replace(STRINGS, '')) {
    if ((letter === '{' || letter === '[') && ++depth > MAX_DEPTH) return letter
    if (letter === '}' || letter === ']') depth--
  }
  return undefined
}

const OPENERS = /[[{]/g
/** Also one that does not end: it is not looked at again from each quote in it. */
const STRINGS = /"(?:[^"\\]|\\.)*"?/gs

function hasManyOpeners(text: string): boolean {
  let openers = 0
  while (OPENERS.test(text)) if (++openers > MAX_DEPTH) break
  OPENERS.lastIndex = 0
  return openers > MAX_DEPTH
}

function hasProtoKey(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(hasProtoKey)
  if (!isJsonObject(value)) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey)
}
