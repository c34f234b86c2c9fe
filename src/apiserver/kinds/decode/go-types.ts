import { isJsonArray, isJsonObject, type JsonValue } from '../../../base/json.ts'
import { additionalSchemaOf, type Schema } from '../../../schema/schema.ts'

/** Where in an object the decoder is: the Go struct, and the path of fields from the root. */
export interface Place {
  readonly struct: string
  readonly path: string
}

/** A value that does not fit the Go type, in the words of the server's decoder. */
export class DecodeProblem extends Error {
  static mismatch(found: string, type: string, { struct, path }: Place): DecodeProblem {
    return new DecodeProblem(`json: cannot unmarshal ${found} into Go struct field ${struct}.${path} of type ${type}`)
  }
}

export function jsonTypeOf(value: JsonValue): string {
  if (isJsonArray(value)) return 'array'
  if (isJsonObject(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** The name of the Go type behind a schema, as far as the schema tells. */
export function goTypeOf(schema: Schema): string {
  const values = additionalSchemaOf(schema)
  if (schema.items) return `[]${goTypeOf(schema.items)}`
  if (values) return `map[string]${goTypeOf(values)}`
  if (schema.definition) return schema.definition.split('.').slice(-2).join('.')
  if (schema.type === 'integer') return schema.format ?? 'int64'
  if (schema.type === 'number') return 'float64'
  return schema.type === 'boolean' ? 'bool' : 'string'
}
