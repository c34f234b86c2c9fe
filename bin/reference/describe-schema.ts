import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a map',
  array: 'a list',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
}

/** What a schema takes, in a few words. */
export function describeType(schema: JsonObject): string {
  const { type, $ref, anyOf, oneOf, items } = schema
  const values = isJsonArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const as JsonValue] : undefined
  if (values) return values.map((value) => `\`${JSON.stringify(value).replaceAll('"', '')}\``).join(' or ')
  if ($ref !== undefined) return 'a list of tasks'
  const choices = anyOf ?? oneOf
  if (type === undefined && isJsonArray(choices)) {
    return choices.map((choice) => describeType(choice as JsonObject)).join(', or ')
  }
  if (type === 'array' && isJsonObject(items) && items.type !== undefined) return `a list of ${describeType(items)}`
  const types = [type ?? []].flat() as readonly string[]
  return types.length === 0 ? 'any value' : types.map((one) => TYPES[one] ?? one).join(', or ')
}

export interface Field {
  /** `metadata.name` */
  readonly path: string
  readonly schema: JsonObject
  readonly required: boolean
}

/** The fields that a schema names, and those within them. */
export function fieldsOf({ properties, required }: JsonObject, above = ''): readonly Field[] {
  if (!isJsonObject(properties)) return []
  const needed = isJsonArray(required) ? required : []
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isJsonObject(schema)) return []
    const path = above === '' ? name : `${above}.${name}`
    return [{ path, schema, required: needed.includes(name) }, ...fieldsOf(schema, path)]
  })
}

/** What a schema says of itself, with what a value left out means. */
export function describe({ description, default: fallback }: JsonObject): string {
  const text = typeof description === 'string' ? description : ''
  return fallback === undefined
    ? text
    : `${text} Defaults to \`${JSON.stringify(fallback).replaceAll('"', '')}\`.`.trim()
}

/** A cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
