import { isJsonObject, type JsonValue } from '../base/json.ts'
import { walkDown } from '../base/nested-too-deeply.ts'

/** JSON as Go's encoding/json writes it: sorted keys, no spaces, and what could break out of HTML escaped. */
export function goJson(value: JsonValue | undefined): string {
  if (typeof value === 'string' && SIMPLE.test(value)) return `"${value}"`
  const inOrder = (_key: string, inner: unknown): unknown => (isJsonObject(inner) ? sorted(inner) : inner)
  return escapeHtml(walkDown(() => JSON.stringify(value ?? null, inOrder)))
}

/** The same of a Go struct: its fields stand as they are declared, and integers have 64 bits. */
export function goStructJson(value: JsonValue | undefined): string {
  return escapeHtml(walkDown(() => JSON.stringify(value ?? null, exact)))
}

function exact(_key: string, value: unknown): unknown {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) <= 2 ** 63
  return isRounded ? rawJSON(String(BigInt(value as number))) : value
}

/** Part of the language, and not yet of its types. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

const SIMPLE = /^[\w .:/-]*$/

function sorted(object: { readonly [key: string]: JsonValue | undefined }): {
  [key: string]: JsonValue | undefined
} {
  return Object.fromEntries(
    Object.keys(object)
      .sort(compareText)
      .map((key) => [key, object[key]]),
  )
}

const ESCAPES: { readonly [character: string]: string } = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
  '\\b': '\\u0008',
  '\\f': '\\u000c',
}

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]|\\[bf\\]/g, (found) => ESCAPES[found] ?? found)
}

/** Order of the UTF-8 bytes of two texts, which is how Go sorts. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Surrogates stand for code points beyond all others of 16 bits. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
