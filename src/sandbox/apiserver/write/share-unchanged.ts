import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../../core/base/json.ts'

/**
 * A value with all parts that are as in `old`, the order of fields included, replaced by the very parts of `old`; `old`
 * itself when nothing differs. What compares the two afterwards walks only where they differ, and states of an object share
 * what they have in common.
 */
export function shareUnchanged(value: JsonValue | undefined, old: JsonValue | undefined): JsonValue | undefined {
  if (value === old) return old
  if (isJsonArray(value)) return isJsonArray(old) ? shareItems(value, old) : value
  return isJsonObject(value) && isJsonObject(old) ? shareFields(value, old) : value
}

function shareItems(value: JsonArray, old: JsonArray): JsonArray {
  let isSame = value.length === old.length
  let isShared = false
  const items = value.map((item, index) => {
    const shared = shareUnchanged(item, old[index]) ?? null
    if (shared !== old[index]) isSame = false
    if (shared !== item) isShared = true
    return shared
  })
  if (isSame) return old
  return isShared ? items : value
}

function shareFields(value: JsonObject, old: JsonObject): JsonObject {
  const names = Object.keys(value)
  const before = Object.keys(old)
  let isSame = names.length === before.length
  let shares: Record<string, JsonValue | undefined> | undefined
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string
    const isInPlace = name === before[index]
    if (!isInPlace) isSame = false
    const given = value[name]
    const known = isInPlace || Object.hasOwn(old, name) ? old[name] : undefined
    const shared = shareUnchanged(given, known)
    if (shared !== known || known === undefined) isSame = false
    if (shared === given) continue
    shares ??= { ...value }
    shares[name] = shared
  }
  return isSame ? old : (shares ?? value)
}
