import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { walkDown } from '../../../core/base/nested-too-deeply.ts'

/** A map that is being made. Maps in it that are not shared are `Merged`, too. */
type Merged = Map<string, JsonValue | Merged | undefined>

/**
 * Maps from left to right as one: maps in them are merged, of anything else the last one counts. Keys keep their first place.
 *
 * @param pay called for each key that is looked at
 */
export function mergeDeep(maps: readonly JsonObject[], pay: (keys: number) => void = () => undefined): JsonObject {
  return walkDown(() => {
    const merged: Merged = new Map()
    for (const map of maps) mergeInto(merged, map, pay)
    return toObject(merged)
  })
}

function mergeInto(merged: Merged, map: JsonObject, pay: (keys: number) => void): void {
  const entries = Object.entries(map)
  pay(entries.length)
  for (const [key, value] of entries) {
    const before = merged.get(key)
    if (!isJsonObject(value)) merged.set(key, value)
    else if (before instanceof Map) mergeInto(before, value, pay)
    else if (isJsonObject(before)) {
      const both: Merged = new Map()
      for (const one of [before, value]) mergeInto(both, one, pay)
      merged.set(key, both)
    } else merged.set(key, value)
  }
}

function toObject(merged: Merged): JsonObject {
  const entries = [...merged].map(([key, value]) => [key, value instanceof Map ? toObject(value) : value] as const)
  return Object.fromEntries(entries)
}
