import { deepFreeze, isJsonArray, type JsonValue } from '../../../core/base/json.ts'
import { dropNulls } from '../../expression/drop-nulls.ts'

/** Cleaned forms of values that cannot change: objects of the cache are looked at in run after run. */
const known = new WeakMap<object, JsonValue | undefined>()

/** What a variable holds of a value that came from the cluster: no nulls, frozen. */
export function variableValue(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(value)) return clean(value)
  return Object.freeze(value.map(clean).filter((item) => item !== undefined))
}

function clean(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return dropNulls(value)
  if (known.has(value)) return known.get(value)
  const cleaned = deepFreeze(dropNulls(value))
  // The caller may still change the value itself, unless it is its own cleaned form, frozen by now.
  if (cleaned === value) known.set(value, cleaned)
  return cleaned
}
