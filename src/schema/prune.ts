import type { JsonValue } from '../base/json.ts'
import type { Schema } from './schema.ts'

export interface Pruned<T> {
  readonly value: T
  /** `spec.foo`, `spec.items[0].bar`: fields that the schema does not know, sorted. */
  readonly unknown: readonly string[]
}

/** Without the fields that the schema does not know; the very `value` when there are none. */
export function prune<T extends JsonValue>(_value: T, _schema: Schema): Pruned<T> {
  throw new Error('not written yet')
}
