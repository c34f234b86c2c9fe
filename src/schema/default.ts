import type { JsonValue } from '../base/json.ts'
import type { Schema } from './schema.ts'

/** `value` with the defaults of the schema in it; the very `value` when none is missing. */
export function applyDefaults<T extends JsonValue>(_value: T, _schema: Schema): T {
  throw new Error('not written yet')
}
