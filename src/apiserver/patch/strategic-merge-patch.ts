import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Schema } from '../../schema/schema.ts'

/** Strategic merge patch, for built-in kinds. @throws PatchError */
export function applyStrategicMergePatch(_live: JsonObject, _patch: JsonValue, _schema: Schema): JsonObject {
  throw new Error('not written yet')
}
