import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../src/core/base/json.ts'
import { propertySchema, type Schema } from '../../../src/core/schema/schema.ts'
import { shapeOf } from './mutations.ts'

/** A small value that fits a schema, with the fields that it requires. */
export function sampleOf(schema: Schema, depth = 0): JsonValue {
  const [first] = schema.enum ?? []
  if (first !== undefined) return first
  if (schema.format === 'date-time') return '2020-01-01T00:00:00Z'
  switch (shapeOf(schema)) {
    case 'object':
      return sampleObject(schema, depth)
    case 'map':
      return { key: sampleOf(schema.additionalProperties as Schema, depth + 1) }
    case 'array':
      return schema.items ? [sampleOf(schema.items, depth + 1)] : []
    case 'text':
      return schema.oneOf ? '1' : schema.format === 'byte' ? 'YQ==' : 'sample'
    case 'boolean':
      return true
    default:
      return 1
  }
}

/** Schemas that require themselves end here. */
const DEEPEST = 6

function sampleObject({ required = [], properties = {} }: Schema, depth: number): JsonValue {
  if (depth > DEEPEST) return {}
  const names = required.filter((name) => Object.hasOwn(properties, name))
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] as Schema, depth + 1)]))
}

/** The value with another one at a path; `undefined` takes it away. What is not there on the way is made of samples. */
export function putAt(
  value: JsonValue | undefined,
  schema: Schema,
  path: JsonPath,
  put: JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path
  if (step === undefined) return put
  const inner = schemaBelow(schema, step)
  if (typeof step === 'number') {
    const items = isJsonArray(value) ? [...value] : []
    const item = putAt(items[step], inner, rest, put)
    if (item === undefined) items.splice(step, 1)
    else items[step] = item
    return items
  }
  const object: Record<string, JsonValue | undefined> = isJsonObject(value)
    ? { ...value }
    : { ...(shapeOf(schema) === 'object' && (sampleOf(schema) as object)) }
  const changed = putAt(object[step], inner, rest, put)
  if (changed === undefined) delete object[step]
  else object[step] = changed
  return object
}

function schemaBelow(schema: Schema, step: string | number): Schema {
  return (typeof step === 'number' ? schema.items : propertySchema(schema, step)) ?? {}
}
