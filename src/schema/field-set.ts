import type { JsonObject, JsonPath, JsonValue } from '../base/json.ts'
import type { Schema } from './schema.ts'

/** A set of fields of objects of one kind, as in `managedFields`. Immutable. */
export class FieldSet {
  static readonly empty = new FieldSet()

  static fromFieldsV1(_json: JsonObject): FieldSet {
    throw new Error('not written yet')
  }

  static fromObject(_object: JsonValue, _schema: Schema | undefined): FieldSet {
    throw new Error('not written yet')
  }

  /** Of plain field names: what resetFields consist of. */
  static ofPaths(_paths: readonly JsonPath[]): FieldSet {
    throw new Error('not written yet')
  }

  toFieldsV1(): JsonObject {
    throw new Error('not written yet')
  }

  union(_other: FieldSet): FieldSet {
    throw new Error('not written yet')
  }

  difference(_other: FieldSet): FieldSet {
    throw new Error('not written yet')
  }

  /** Also removes what lies beneath the fields of `other`. */
  recursiveDifference(_other: FieldSet): FieldSet {
    throw new Error('not written yet')
  }

  intersection(_other: FieldSet): FieldSet {
    throw new Error('not written yet')
  }

  isSubsetOf(_other: FieldSet): boolean {
    throw new Error('not written yet')
  }

  isEmpty(): boolean {
    throw new Error('not written yet')
  }
}
