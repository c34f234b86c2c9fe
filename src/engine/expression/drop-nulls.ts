import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../core/base/json.ts'

/** No data of an API server nests deeper; what does is left as it is. */
const MAX_DEPTH = 500

/**
 * A value without nulls, in fields and lists: null means missing. What holds none is shared with the value given.
 * `undefined` for null itself.
 */
export function dropNulls<Given extends JsonValue | undefined>(value: Given): Exclude<Given, null> | undefined {
  return withoutNulls(value, 0) as Exclude<Given, null> | undefined
}

function withoutNulls(value: JsonValue | undefined, depth: number): JsonValue | undefined {
  if (value === null) return undefined
  if (depth > MAX_DEPTH) return value
  if (isJsonArray(value)) return listWithoutNulls(value, depth)
  return isJsonObject(value) ? objectWithoutNulls(value, depth) : value
}

function listWithoutNulls(items: JsonArray, depth: number): JsonArray {
  let kept: JsonValue[] | undefined
  items.forEach((item, index) => {
    const clean = withoutNulls(item, depth + 1)
    if (clean !== item) kept ??= items.slice(0, index)
    if (clean !== undefined) kept?.push(clean)
  })
  return kept ?? items
}

function objectWithoutNulls(object: JsonObject, depth: number): JsonObject {
  let changed = false
  const entries: [string, JsonValue][] = []
  for (const key of Object.keys(object)) {
    const field = object[key]
    const clean = withoutNulls(field, depth + 1)
    if (clean !== field) changed = true
    if (clean !== undefined) entries.push([key, clean])
  }
  // `fromEntries` defines fields, so that a key `__proto__` stays one.
  return changed ? Object.fromEntries(entries) : object
}
