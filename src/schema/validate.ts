import type { JsonValue } from '../base/json.ts'
import type { FieldError } from './field-error.ts'
import type { Schema } from './schema.ts'

export interface ValidateOptions {
  /** Field path of `value`. Defaults to the root. */
  readonly path?: string | undefined
  /** The stored value: complaints that already held for equal parts of it are left out (ratcheting). */
  readonly old?: JsonValue | undefined
}

/** Complaints of a custom resource about a value, as the real server words them. CEL rules are not its matter. */
export function validate(_value: JsonValue, _schema: Schema, _options: ValidateOptions = {}): readonly FieldError[] {
  throw new Error('not written yet')
}
