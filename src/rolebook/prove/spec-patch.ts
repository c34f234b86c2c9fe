import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../core/base/json.ts'

/** What a merge patch makes of a value. */
export function patched(value: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const given = isJsonObject(value) ? value : {}
  const entries = new Map(Object.entries(given))
  for (const [key, inner] of Object.entries(patch)) {
    if (inner === null) entries.delete(key)
    else if (inner !== undefined) entries.set(key, patched(given[key], inner))
  }
  return Object.fromEntries(entries) as JsonObject
}

/** The value without the texts of a set. `undefined`: nothing is left. */
export function withoutTexts(value: JsonValue | undefined, texts: ReadonlySet<string>): JsonValue | undefined {
  if (typeof value === 'string') return texts.has(value) ? undefined : value
  if (isJsonArray(value)) return value.map((item) => withoutTexts(item, texts)).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutTexts(inner, texts)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
}

/** The merge patch that makes the second value of the first one. */
export function patchBetween(from: JsonValue | undefined, to: JsonValue | undefined): JsonValue {
  if (!isJsonObject(from) || !isJsonObject(to)) return to ?? null
  const entries: [string, JsonValue][] = []
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (jsonEquals(from[key], to[key])) continue
    entries.push([key, to[key] === undefined ? null : patchBetween(from[key], to[key])])
  }
  return Object.fromEntries(entries) as JsonObject
}
