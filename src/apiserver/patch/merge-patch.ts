import type { JsonObject, JsonValue } from '../../base/json.ts'

/** RFC 7386. @throws PatchError */
export function applyMergePatch(_live: JsonObject, _patch: JsonValue): JsonObject {
  throw new Error('not written yet')
}
