import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../base/json.ts'
import type { FieldError } from './field-error.ts'
import { goJson } from './go-json.ts'
import { additionalSchemaOf, type Schema } from './schema.ts'

/** Items that occur twice in lists of type `set` and `map`, at any depth. */
export function checkListTypes(value: JsonValue, schema: Schema, path: string): readonly FieldError[] {
  if (isJsonArray(value)) return checkList(value, schema, path)
  if (!isJsonObject(value)) return []
  const errors: FieldError[] = []
  const additional = additionalSchemaOf(schema)
  for (const [name, inner] of Object.entries(value)) {
    const declared = schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    const innerSchema = declared ? schema.properties?.[name] : additional
    if (inner === undefined || innerSchema === undefined || innerSchema.definition !== undefined) continue
    const innerPath = declared ? childPath(path, name) : `${path}[${name}]`
    errors.push(...checkListTypes(inner, innerSchema, innerPath))
  }
  return errors
}

function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function checkList(list: JsonArray, schema: Schema, path: string): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type']
  const errors = type === 'set' ? checkSet(list, path) : type === 'map' ? checkMapList(list, schema, path) : []
  const { items } = schema
  if (items === undefined) return errors
  return [...errors, ...list.flatMap((item, index) => checkListTypes(item, items, `${path}[${index}]`))]
}

function checkSet(list: JsonArray, path: string): readonly FieldError[] {
  return duplicates(list).map((index) => duplicate(`${path}[${index}]`, list[index]))
}

function checkMapList(list: JsonArray, schema: Schema, path: string): readonly FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isJsonObject(item))
  if (wrong !== -1) {
    const detail = 'must be an object for an array of list-type map'
    return [{ type: 'Invalid', field: `${path}[${wrong}]`, detail, value: list[wrong] }]
  }
  const { 'x-kubernetes-list-map-keys': names = [] } = schema
  const keys = list.map((item) => keysOf(item, names))
  return duplicates(keys).map((index) => duplicate(`${path}[${index}]`, keys[index]))
}

/** Whether no item of a list occurs twice, as far as its type forbids that; `false` when it takes a closer look. */
export function areSurelyDifferent(list: JsonArray, schema: Schema): boolean {
  const { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': [name, ...more] = [] } = schema
  if (type === 'set') return areDifferentScalars(list)
  if (type !== 'map') return true
  if (name === undefined || more.length > 0) return checkMapList(list, schema, '').length === 0
  return areDifferentScalars(list.map((item) => (isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : null)))
}

function areDifferentScalars(values: readonly (JsonValue | undefined)[]): boolean {
  const isScalar = (value: JsonValue | undefined): boolean => value !== undefined && typeof value !== 'object'
  return values.every(isScalar) && new Set(values).size === values.length
}

function keysOf(item: JsonValue, names: readonly string[]): JsonValue {
  if (!isJsonObject(item)) return {}
  const present = names.filter((name) => Object.hasOwn(item, name) && item[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, item[name]]))
}

/** Where items stand that have occurred once before; a third occurrence is not reported. */
function duplicates(items: JsonArray): readonly number[] {
  const seen = new Map<string, number>()
  return [...items.keys()].filter((index) => {
    const text = goJson(items[index])
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    return times === 2
  })
}

function duplicate(field: string, value: JsonValue | undefined): FieldError {
  return { type: 'Duplicate', field, detail: '', value }
}
