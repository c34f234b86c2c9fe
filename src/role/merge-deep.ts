import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'

/** Maps from left to right as one: maps in them are merged, of anything else the last one counts. Keys keep their first place. */
export function mergeDeep(maps: readonly JsonObject[]): JsonObject {
  return maps.reduce(mergeTwo, {})
}

function mergeTwo(left: JsonObject, right: JsonObject): JsonObject {
  const merged = new Map<string, JsonValue | undefined>(Object.entries(left))
  for (const [key, value] of Object.entries(right)) {
    const before = merged.get(key)
    merged.set(key, isJsonObject(before) && isJsonObject(value) ? mergeTwo(before, value) : value)
  }
  return Object.fromEntries(merged)
}
