import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts'
import { badRequest } from '../api-status.ts'

const MAX_DEPTH = 1000

/**
 * JSON text to data, unless it is nested so deeply that walking it would end the stack, or has a key by which
 * JavaScript would change prototypes.
 *
 * @throws SyntaxError, and ApiError 400 for hostile text
 */
export function parseHostileJson(text: string): JsonValue {
  if (isTooDeep(text)) throw badRequest('json: exceeded max depth')
  const value: JsonValue = JSON.parse(text)
  if (/proto|\\u/.test(text) && hasProtoKey(value)) throw badRequest('json: a field must not be called __proto__')
  return value
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
