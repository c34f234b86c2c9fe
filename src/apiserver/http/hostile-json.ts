import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts'
import { ApiError } from '../../kube/api-error.ts'
import { badRequest } from '../api-status.ts'

const MAX_DEPTH = 1000

/**
 * JSON text to data, unless it is nested so deeply that walking it would end the stack, or has a key by which
 * JavaScript would change prototypes.
 *
 * @throws SyntaxError, TooDeepError, and ApiError 400 for hostile text
 */
export function parseHostileJson(text: string): JsonValue {
  if (isTooDeep(text)) throw new TooDeepError(text)
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

  constructor(text: string) {
    const { httpStatus, reason, message, status } = badRequest('json: exceeded max depth')
    super(httpStatus, reason, message, { status })
    this.opener = openerBeyond(text.replace(STRINGS, ''))
  }
}

function openerBeyond(brackets: string): string {
  let depth = 0
  for (const letter of brackets) {
    if ((letter === '{' || letter === '[') && ++depth > MAX_DEPTH) return letter
    if (letter === '}' || letter === ']') depth--
  }
  return '['
}

const OPENERS = /[[{]/g
const STRINGS = /"(?:[^"\\]|\\.)*"/gs

function isTooDeep(text: string): boolean {
  let openers = 0
  while (OPENERS.test(text)) if (++openers > MAX_DEPTH) break
  OPENERS.lastIndex = 0
  return openers > MAX_DEPTH && depthOf(text.replace(STRINGS, '')) > MAX_DEPTH
}

function depthOf(brackets: string): number {
  let depth = 0
  let deepest = 0
  for (const letter of brackets) {
    if (letter === '{' || letter === '[') deepest = Math.max(deepest, ++depth)
    else if (letter === '}' || letter === ']') depth--
  }
  return deepest
}

function hasProtoKey(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(hasProtoKey)
  if (!isJsonObject(value)) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey)
}
