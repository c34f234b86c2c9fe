import type { JsonObject, JsonValue } from '../../base/json.ts'

/** RFC 6902. @throws PatchError */
export function applyJsonPatch(_live: JsonObject, _patch: JsonValue): JsonObject {
  throw new Error('not written yet')
}
