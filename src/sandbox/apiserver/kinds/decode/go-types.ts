import { isJsonArray, isJsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { additionalSchemaOf, type Schema } from '../../../../core/schema/schema.ts'

/** A value that does not fit the Go type, in the words of the server's decoder. */
export class DecodeProblem extends Error {
  readonly #type: string | undefined
  #struct: string | undefined
  #path: string[] = []

  /** `type` is the Go type that was expected, for texts that go on with the place. */
  constructor(message: string, type?: string) {
    super(message)
    this.#type = type
  }

  static mismatch(found: string, type: string): DecodeProblem {
    return new DecodeProblem(`json: cannot unmarshal ${found} into Go struct field`, type)
  }

  /** Told on the way out, from the innermost struct to the root. */
  enter(schema: Schema, name: string): void {
    const { definition = '' } = schema
    this.#struct ??= definition.slice(definition.lastIndexOf('.') + 1)
    this.#path.unshift(name)
  }

  print(): string {
    if (this.#type === undefined) return this.message
    const type = this.#path.at(-1) === 'uid' ? 'types.UID' : this.#type
    return `${this.message} ${this.#struct}.${this.#path.join('.')} of type ${type}`
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
  const { type, format = 'int64' } = schema
  if (type === 'integer') return format
  if (type === 'number') return 'float64'
  return type === 'boolean' ? 'bool' : 'string'
}
