import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** An object after a JSON merge patch (RFC 7386). */
export function mergePatch(object: KubeObject, patch: JsonObject): KubeObject {
  return patched(object as JsonObject, patch) as KubeObject
}

/** The merge patch that does what two do one after the other. */
export function composePatches(first: JsonObject, second: JsonObject): JsonObject {
  const composed: { [key: string]: JsonValue | undefined } = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const before = composed[key]
    composed[key] = isJsonObject(before) && isJsonObject(value) ? composePatches(before, value) : value
  }
  return composed
}

function patched(value: JsonValue | undefined, patch: JsonObject): JsonObject {
  const result: { [key: string]: JsonValue | undefined } = isJsonObject(value) ? { ...value } : {}
  for (const [key, change] of Object.entries(patch)) {
    if (change === null || change === undefined) delete result[key]
    else result[key] = isJsonObject(change) ? patched(result[key], change) : change
  }
  return result
}
