import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'

const ANY: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true }

/** What is known of a field and of those below it: that it is read, what it is handed on as, and examples of it. */
export class KnownField {
  readonly #below = new Map<string, KnownField>()
  readonly #examples: JsonValue[] = []
  #schema: Schema | undefined
  #isReadWhole = false

  /** Something reads it: itself, or what is at a path below it. */
  read([step, ...rest]: readonly string[]): void {
    if (step === undefined) this.#isReadWhole = true
    else this.below(step).read(rest)
  }

  /** It is handed on to where a server wants this. */
  handOn(schema: Schema): void {
    this.#schema ??= schema
  }

  show(example: JsonValue): void {
    this.#examples.push(example)
  }

  below(name: string): KnownField {
    const known = this.#below.get(name) ?? new KnownField()
    this.#below.set(name, known)
    return known
  }

  /** The schema that a CRD gives it. */
  toSchema(): JsonObject {
    const lists = this.#examples.filter(isJsonArray)
    if (lists.length > 0 || this.#schema?.type === 'array') return { type: 'array', items: this.#items(lists.flat()) }
    const objects = this.#examples.filter(isJsonObject)
    if (this.#below.size > 0 || objects.length > 0) return this.#object(objects)
    if (this.#schema !== undefined) return shapeOf(this.#schema)
    return typeOfExamples(this.#examples)
  }

  /** Fields below a list are those of its items. */
  #items(examples: readonly JsonValue[]): JsonObject {
    const item = new KnownField()
    for (const [name, field] of this.#below) item.#below.set(name, field)
    for (const example of examples) item.show(example)
    if (this.#schema?.items !== undefined) item.handOn(this.#schema.items)
    return item.toSchema()
  }

  #object(examples: readonly JsonObject[]): JsonObject {
    for (const example of examples) {
      for (const [name, value] of Object.entries(example)) this.below(name).show(value as JsonValue)
    }
    const fields = [...this.#below].map(([name, field]) => [name, field.toSchema()] as const)
    const properties: JsonObject = Object.fromEntries(fields)
    return { type: 'object', ...(this.#isReadWhole && ANY), properties }
  }
}

/** What a field of a built-in kind is, as far as a field that is handed on to it must be the same. */
function shapeOf(schema: Schema): JsonObject {
  const { type, format } = schema
  if (format === 'int-or-string') return { 'x-kubernetes-int-or-string': true }
  if (type === undefined || type === 'object') return { ...(type && { type }), ...ANY }
  return { type, ...(format !== undefined && { format }) }
}

/** The one type that all examples have. */
function typeOfExamples(examples: readonly JsonValue[]): JsonObject {
  const types = new Set(examples.map((example) => (Number.isInteger(example) ? 'integer' : typeof example)))
  const [type, ...others] = types
  return type === undefined || others.length > 0 || type === 'object' ? ANY : { type }
}
