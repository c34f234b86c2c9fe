import { isJsonArray, isJsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { additionalSchemaOf, type Schema } from '../../../../core/schema/schema.ts'

/** A value that does not fit the Go type, in the words of the server's decoder. */
export class DecodeProblem extends Error {
  /** The decoder reads no further: the value has a notation of its own, and its own reader gave up. */
  isFinal = false
  /** The value stands in one that is read as text wherever it comes from. */
  isWithinText = false
  readonly #schema: Schema | undefined
  readonly #found: string
  #struct: string | undefined
  #path: string[] = []

  /** `schema` is that of the Go type that was expected, for texts that go on with the place. */
  constructor(message: string, schema?: Schema, found = '') {
    super(message)
    this.#schema = schema
    this.#found = found
  }

  static mismatch(value: JsonValue, schema: Schema): DecodeProblem {
    const isNumeric = schema.type === 'integer' || schema.type === 'number'
    const found = typeof value === 'number' ? `number ${printNumber(value)}` : jsonTypeOf(value)
    const shown = isNumeric ? found : jsonTypeOf(value)
    return new DecodeProblem(`json: cannot unmarshal ${shown} into Go struct field`, schema, found)
  }

  /** Called on the way out, from the innermost struct to the root. */
  enter(schema: Schema, name: string): void {
    this.#struct ??= structNameOf(schema)
    this.#path.unshift(name)
    const embedded = schema.embeddedFields?.[name]
    if (embedded !== undefined) this.#path.unshift(embedded)
  }

  /**
   * Called when a decoder of its own read a part of the whole. Go's decoder of the whole then names the struct that the
   * part stands in (`addErrorContext` in sigs.k8s.io/json).
   */
  enterPart(path: readonly string[], around: Schema): void {
    this.#struct = structNameOf(around)
    this.#path.unshift(...path)
  }

  print(): string {
    if (this.#schema === undefined) return this.message
    return `${this.message} ${this.#struct}.${this.#path.join('.')} of type ${goTypeOf(this.#schema)}`
  }

  /** What Go says when it does not decode text, but data. */
  printForData(): string {
    if (this.#schema === undefined)
      return this.message.startsWith('illegal base64') ? `error decoding from json: ${this.message}` : this.message
    if (this.isWithinText) return `${this.message.replace('struct field', 'value')} of type ${goTypeOf(this.#schema)}`
    // A type that reads itself does so from text.
    if (this.#schema.definition !== undefined && (this.#schema.type === 'integer' || this.#schema.type === 'string'))
      return `json: cannot unmarshal ${this.#schema.type === 'string' ? this.#found.replace(/ .*/, '') : this.#found} into Go value of type ${goTypeOf(this.#schema)}`
    const kind = GO_KINDS[this.#found] ?? this.#found.replace(/ .*/, '')
    const wanted = goKindOf(this.#schema)
    if (wanted === 'slice' || wanted === 'map') return `cannot restore ${wanted} from ${kind}`
    if (wanted === 'struct') return `cannot restore struct from: ${kind}`
    const given = kind === 'number' ? numberKindOf(this.#found) : kind
    if (CONVERSIONS[given]?.includes(wanted)) return `cannot convert ${given} to ${goTypeOf(this.#schema)}`
    return `unrecognized type: ${wanted}`
  }
}

function structNameOf({ definition = '' }: Schema): string {
  return definition.slice(definition.lastIndexOf('.') + 1)
}

const GO_KINDS: Readonly<Record<string, string>> = { object: 'map', array: 'slice' }
/** Conversions that the language knows and JSON does not. */
const CONVERSIONS: Readonly<Record<string, readonly string[]>> = { int64: ['string'], float64: ['int32', 'int64'] }

function numberKindOf(found: string): string {
  return Number.isInteger(Number(found.slice('number '.length))) ? 'int64' : 'float64'
}

/** Of numbers beyond 2^53, JavaScript has kept the first 16 digits only. */
export function printNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(BigInt(value)) : String(value)
}

export function jsonTypeOf(value: JsonValue): string {
  if (isJsonArray(value)) return 'array'
  if (isJsonObject(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** The name of the Go type behind a schema. */
export function goTypeOf(schema: Schema): string {
  if (schema.goType !== undefined) return schema.goType
  const values = additionalSchemaOf(schema)
  if (schema.items) return `[]${goTypeOf(schema.items)}`
  if (values) return `map[string]${goTypeOf(values)}`
  if (schema.definition) return schema.definition.split('.').slice(-2).join('.')
  return scalarOf(schema)
}

function scalarOf({ type, format = 'int64' }: Schema): string {
  if (type === 'integer') return format
  if (type === 'number') return 'float64'
  return type === 'boolean' ? 'bool' : 'string'
}

function goKindOf(schema: Schema): string {
  if (schema.items) return 'slice'
  if (additionalSchemaOf(schema)) return 'map'
  return schema.definition === undefined ? scalarOf(schema) : 'struct'
}
