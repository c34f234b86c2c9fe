import { isJsonArray, isJsonObject, type JsonPath, type JsonValue, jsonEquals } from './json.ts'

/**
 * Where two values differ: the longest paths that say it, in the order of the second value, then what only the first has.
 * Lists of different lengths differ as a whole.
 */
export function changedPaths(before: JsonValue | undefined, after: JsonValue | undefined): readonly JsonPath[] {
  if (jsonEquals(before, after)) return []
  const keys = commonKeys(before, after)
  if (keys === undefined) return [[]]
  return keys.flatMap((key) => changedPaths(at(before, key), at(after, key)).map((path) => [key, ...path]))
}

function commonKeys(before: JsonValue | undefined, after: JsonValue | undefined): JsonPath | undefined {
  if (isJsonObject(before) && isJsonObject(after)) return [...new Set([...Object.keys(after), ...Object.keys(before)])]
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) return [...after.keys()]
  return undefined
}

function at(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(key)]
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
