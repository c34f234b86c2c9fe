import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { FieldSet } from '../../../core/schema/field-set.ts'
import { mergeTypeOf } from '../../../core/schema/merge-type.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { shapeOf, type ValueShape } from '../../../core/schema/value-shape.ts'

/** What decides besides the object which fields belong to its creator. */
export interface CreationRules {
  readonly schema: Schema | undefined
  readonly resetFields?: FieldSet | undefined
}

/** By the shape of the objects and what their endpoint ignores. Nothing where objects cannot be tracked. */
const known = new WeakMap<ValueShape, Map<FieldSet | undefined, FieldSet | undefined>>()

/** The fields that the creator of an object owns. `find` is called once for each shape. */
export function createdFields(
  object: KubeObject,
  { schema, resetFields }: CreationRules,
  find: () => FieldSet | undefined,
): FieldSet | undefined {
  const shape = shapeOf(object as JsonObject, mergeTypeOf(schema))
  if (shape === undefined) return find()
  const found = known.get(shape) ?? new Map<FieldSet | undefined, FieldSet | undefined>()
  known.set(shape, found)
  if (!found.has(resetFields)) found.set(resetFields, find())
  return found.get(resetFields)
}
