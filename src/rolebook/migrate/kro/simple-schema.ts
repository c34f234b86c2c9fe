import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { placed, Undecided } from '../undecided.ts'
import { readMarkers } from './markers.ts'
import type { NewSchema } from './new-schema.ts'

const ANY: NewSchema = { 'x-kubernetes-preserve-unknown-fields': true }
const TYPES: Readonly<Record<string, NewSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  float: { type: 'number' },
  object: { type: 'object', ...ANY },
}

export interface SimpleSchemaOptions {
  /** Schemas by the names that `types` gives them. */
  readonly types: JsonObject
  readonly path: JsonPath
  /** What is said of a field that cannot be read; it may hold anything then. */
  readonly decide: (error: Undecided, name: string) => void
  /** Names of types around this place. Defaults to none. */
  readonly within?: readonly string[] | undefined
}

/** The fields of kro's SimpleSchema as a schema of Kubernetes. */
export function fieldsSchema(fields: JsonObject, options: SimpleSchemaOptions): NewSchema {
  const schema: NewSchema = { type: 'object', properties: {} }
  for (const [name, value] of Object.entries(fields)) {
    const path = [...options.path, name]
    const field = readField(value as JsonValue, name, { ...options, path })
    ;(schema.properties as { [name: string]: NewSchema })[name] = field.schema
    if (field.required) schema.required = [...(schema.required ?? []), name]
  }
  return schema
}

/** kro gives a map a default when its fields have defaults, so that these count when the map is left out. */
export function withMapDefaults(schema: NewSchema): NewSchema {
  const { properties, items } = schema
  if (items) return { ...schema, items: withMapDefaults(items as NewSchema) }
  if (schema.type !== 'object' || !properties) return schema
  const entries = Object.entries(properties).map(([name, field]) => [name, withMapDefaults(field)] as const)
  const hasDefault = entries.some(([, field]) => field.default !== undefined)
  const isFree = (schema.required ?? []).length === 0
  const whole = { ...schema, properties: Object.fromEntries(entries) }
  return hasDefault && isFree && schema.default === undefined ? { ...whole, default: {} } : whole
}

interface Field {
  readonly schema: NewSchema
  readonly required: boolean
}

function readField(value: JsonValue, name: string, options: SimpleSchemaOptions): Field {
  if (isJsonObject(value)) return { schema: fieldsSchema(value, options), required: false }
  try {
    return placed({ path: options.path }, () => readText(value, options))
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    options.decide(error, name)
    return { schema: { ...ANY }, required: false }
  }
}

/** `string | required=true default="a"`. @throws Undecided */
function readText(value: JsonValue, options: SimpleSchemaOptions): Field {
  if (typeof value !== 'string') throw new Undecided('RB1705', 'a field is a type, or a map of fields')
  const end = value.indexOf('|')
  const type = (end < 0 ? value : value.slice(0, end)).trim()
  const { schema, required } = typeSchema(type, options, 0)
  const markers = end < 0 ? { schema: {}, required: false } : readMarkers(value.slice(end + 1), schema)
  return { schema: { ...schema, ...markers.schema }, required: required || markers.required }
}

const DEEPEST = 16

/** @throws Undecided */
function typeSchema(type: string, options: SimpleSchemaOptions, depth: number): Field {
  if (depth > DEEPEST) throw new Undecided('RB1705', `the type \`${type}\` is nested too deeply`)
  const atomic = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (atomic) return { schema: { ...atomic }, required: false }
  if (type.startsWith('[]')) {
    const items = typeSchema(type.slice(2).trim(), options, depth + 1).schema
    return { schema: { type: 'array', items }, required: false }
  }
  const [, values] = /^map\[string\](.+)$/.exec(type) ?? []
  if (values !== undefined) {
    const inner = typeSchema(values.trim(), options, depth + 1).schema
    return { schema: { type: 'object', additionalProperties: inner }, required: false }
  }
  const own = Object.hasOwn(options.types, type) ? options.types[type] : undefined
  if (own === undefined) throw new Undecided('RB1705', `there is no type \`${type}\``)
  const { within = [] } = options
  if (within.includes(type)) throw new Undecided('RB1705', `the type \`${type}\` contains itself`)
  const inner = { ...options, within: [...within, type] }
  if (isJsonObject(own)) return { schema: fieldsSchema(own, inner), required: false }
  return readText(own, inner)
}
