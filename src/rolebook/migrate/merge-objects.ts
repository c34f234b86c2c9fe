import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'

/** Two maps as one: where both have a value that is not a map, the second counts. */
export function mergeObjects(first: JsonObject, second: JsonObject): JsonObject {
  const merged: Record<string, JsonValue | undefined> = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const before = merged[key]
    merged[key] = isJsonObject(before) && isJsonObject(value) ? mergeObjects(before, value) : value
  }
  return merged
}
