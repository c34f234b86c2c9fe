import { isOpen } from '../../../core/schema/navigate.ts'
import { additionalSchemaOf, isBuiltin, propertySchema, type Schema } from '../../../core/schema/schema.ts'
import {
  ANY,
  BOOLEAN,
  listOf,
  NUMBER,
  type ObjectType,
  objectOf,
  oneOf,
  optional,
  SOME_OBJECT,
  TEXT,
  type Type,
  union,
} from '../../expression/types/type.ts'

/**
 * Which fields count as missing now and then. required: those that the schema does not require. status: the same, but only
 * below `status`, because the server fills in much of the rest.
 */
export type Presence = 'required' | 'status'

/** The type of the values that a schema describes. Anything, where it is not sure. */
export function schemaType(schema: Schema | undefined, presence: Presence = 'required'): Type {
  if (schema === undefined) return ANY
  const cache = known[presence]
  let type = cache.get(schema)
  if (type === undefined) {
    type = toType(schema, presence)
    cache.set(schema, type)
  }
  return type
}

const known = { required: new WeakMap<Schema, Type>(), status: new WeakMap<Schema, Type>() }
const NUMBER_OR_TEXT = union([NUMBER, TEXT])

function toType(schema: Schema, presence: Presence): Type {
  const { type, oneOf: forms = [], format } = schema
  if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string') return NUMBER_OR_TEXT
  // Quantities: text or number.
  if (type === undefined && forms.length > 0 && forms.every((form) => isScalar(form)))
    return union(forms.map((form) => schemaType(form)))
  switch (type) {
    case 'string':
      return textType(schema)
    case 'integer':
    case 'number':
      return NUMBER
    case 'boolean':
      return BOOLEAN
    case 'array':
      return listOf(schemaType(schema.items, presence))
    case 'object':
      return objectType(schema, presence)
    default:
      return schema.properties === undefined ? ANY : objectType(schema, presence)
  }
}

function isScalar({ type }: Schema): boolean {
  return type === 'string' || type === 'number'
}

function textType(schema: Schema): Type {
  const values = (Array.isArray(schema.enum) ? schema.enum : []).filter((value) => typeof value === 'string')
  return values.length === 0 ? TEXT : oneOf(values)
}

function objectType(schema: Schema, presence: Presence): Type {
  const names = Object.keys(schema.properties ?? {})
  const additional = additionalSchemaOf(schema)
  if (names.length === 0 && additional === undefined) return SOME_OBJECT
  const object: ObjectType = {
    field: (name) => fieldType(schema, name, presence),
    names: () => names,
    doc: (name) => propertySchema(schema, name)?.description,
    unknown: additional !== undefined || isOpen(schema) ? 'open' : isBuiltin(schema) ? 'likely' : 'closed',
  }
  return objectOf(object)
}

function fieldType(schema: Schema, name: string, presence: Presence): Type | undefined {
  const field = propertySchema(schema, name)
  if (field === undefined) return undefined
  const type = schemaType(field, presence === 'status' && name === 'status' ? 'required' : presence)
  return mayBeMissing(schema, name, { field, presence }) ? optional(type) : type
}

/** Names that objects of a cluster always have in their metadata, though the schema does not require them. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['name', 'namespace', 'uid', 'creationTimestamp', 'generation'])
const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

function mayBeMissing(
  schema: Schema,
  name: string,
  { field, presence }: { readonly field: Schema; readonly presence: Presence },
): boolean {
  const isDeclared = Object.hasOwn(schema.properties ?? {}, name)
  if (!isDeclared) return true
  if (schema.definition === OBJECT_META) return !ALWAYS_THERE.has(name)
  if (field.nullable === true) return true
  const isPromised = (Array.isArray(schema.required) && schema.required.includes(name)) || field.default !== undefined
  return presence === 'required' && !isPromised
}
