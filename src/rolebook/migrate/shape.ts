import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { Undecided } from './undecided.ts'

export type ValueType = 'text' | 'number' | 'boolean' | 'list' | 'map' | 'unknown'

/** What is known of a value: its type, and how its fields are really called. */
export interface Shape {
  readonly type: ValueType
  /** The field that a template calls `name`. @throws Undecided when there is none */
  field(name: string): Field
  item(): Shape
}

export interface Field {
  /** As it is written in the resource. */
  readonly key: string
  readonly shape: Shape
  readonly optional: boolean
  /** Whether no schema says that there is such a field. */
  readonly assumed: boolean
}

/** Nothing is known; fields are called what they are called. */
export const ANY_SHAPE: Shape = {
  type: 'unknown',
  field: (key) => ({ key, shape: ANY_SHAPE, optional: true, assumed: false }),
  item: () => ANY_SHAPE,
}

export function shapeOfType(type: ValueType): Shape {
  return { ...ANY_SHAPE, type }
}

/** The shape of a value that is known. */
export function shapeOfValue(value: JsonValue | undefined): Shape {
  if (typeof value === 'string') return shapeOfType('text')
  if (typeof value === 'number') return shapeOfType('number')
  if (typeof value === 'boolean') return shapeOfType('boolean')
  if (isJsonArray(value)) return shapeOfType('list')
  return isJsonObject(value) ? shapeOfType('map') : ANY_SHAPE
}

const TYPES: Readonly<Record<string, ValueType>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'map',
}

export interface SpecOptions {
  /** Whether templates see `maxSize` as `max_size`, as the Ansible operator does by default. */
  readonly snakeCase: boolean
}

/** A part of the spec of the resource, by the schema of its CRD; without one, everything is taken to be there. */
export function specShape(schema: JsonObject | undefined, options: SpecOptions): Shape {
  return {
    type: (schema && TYPES[String(schema.type)]) ?? 'unknown',
    field: (name) => specField(name, schema, options),
    item: () => specShape(asSchema(schema?.items), options),
  }
}

function specField(name: string, schema: JsonObject | undefined, options: SpecOptions): Field {
  const properties = asSchema(schema?.properties) ?? {}
  const key = Object.keys(properties).find((one) => one === name || (options.snakeCase && isSame(one, name)))
  if (key !== undefined) {
    const required = isJsonArray(schema?.required) && schema.required.includes(key)
    const property = asSchema(properties[key])
    const optional = !required && property?.default === undefined
    return { key, shape: specShape(property, options), optional, assumed: false }
  }
  const further = schema && asSchema(schema.additionalProperties)
  if (further) return { key: name, shape: specShape(further, options), optional: true, assumed: name.includes('_') }
  if (schema && schema['x-kubernetes-preserve-unknown-fields'] !== true && schema.type !== undefined) {
    const hint = 'in Ansible it is undefined, too, or comes from elsewhere'
    throw new Undecided('RB1705', `\`${name}\` is no variable of the role, and the CRD has no such field`, { hint })
  }
  const written = options.snakeCase ? toCamelCase(name) : name
  return { key: written, shape: specShape(undefined, options), optional: true, assumed: true }
}

/** Abbreviations such as `URL` make the way back from `snake_case` ambiguous, so names are compared without case. */
function isSame(key: string, snake: string): boolean {
  return key.replaceAll('_', '').toLowerCase() === snake.replaceAll('_', '').toLowerCase()
}

function toCamelCase(name: string): string {
  return name.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase())
}

function asSchema(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}
