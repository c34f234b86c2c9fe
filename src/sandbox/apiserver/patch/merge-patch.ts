import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { badRequest, jsonKindOf } from './patch-error.ts'
import { setField } from './set-field.ts'

/** RFC 7386. @throws PatchError */
export function applyMergePatch(live: JsonObject, patch: JsonValue): JsonObject {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (isJsonObject(patch)) return mergeObjects(live, patch)
  const kind = jsonKindOf(patch)
  throw badRequest(`error decoding patch: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`)
}

function mergeObjects(live: JsonObject, patch: JsonObject): JsonObject {
  const merged: { [name: string]: JsonValue | undefined } = { ...live }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else if (value !== undefined)
      setField(merged, name, mergeValue(Object.hasOwn(live, name) ? live[name] : undefined, value))
  }
  return merged
}

function mergeValue(live: JsonValue | undefined, patch: JsonValue): JsonValue {
  return isJsonObject(live) && isJsonObject(patch) ? mergeObjects(live, patch) : withoutNulls(patch)
}

/** What is new takes no nulls with it; items of lists that are null stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const kept: [string, JsonValue][] = []
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== null && inner !== undefined) kept.push([name, withoutNulls(inner)])
  }
  return Object.fromEntries(kept)
}
