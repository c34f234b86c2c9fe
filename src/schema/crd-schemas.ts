import type { JsonObject } from '../base/json.ts'
import type { FieldError } from './field-error.ts'
import type { Schema } from './schema.ts'

/** Schemas of the versions of a CRD, by version, with `apiVersion`, `kind` and `metadata` added. */
export function crdSchemas(_crd: JsonObject, _objectMeta: Schema): ReadonlyMap<string, Schema> {
  throw new Error('not written yet')
}

/** What the structural-schema rules say against the schemas of a CRD, worded as the server does. */
export function checkStructural(_crd: JsonObject): readonly FieldError[] {
  throw new Error('not written yet')
}
