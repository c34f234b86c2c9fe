import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { additionalSchemaOf, propertySchema, type Schema } from './schema.ts'

/**
 * `value` with the defaults of the schema of a custom resource in it; the very `value` when none is missing. A null that
 * the schema does not allow counts as missing. Built-in parts (`metadata`) are left alone.
 */
export function applyDefaults<T extends JsonValue>(value: T, schema: Schema): T {
  return fill(value, schema) as T
}

function fill(value: JsonValue, schema: Schema): JsonValue {
  if (schema.definition !== undefined) return value
  if (isJsonObject(value)) return fillObject(value, schema)
  return isJsonArray(value) && schema.items !== undefined ? fillItems(value, schema.items) : value
}

function fillObject(object: JsonObject, schema: Schema): JsonValue {
  const changes: { [name: string]: JsonValue } = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const present = Object.hasOwn(object, name) ? object[name] : undefined
    const missing = present === undefined || isForbiddenNull(present, property)
    const filled = missing ? property.default : present
    if (filled !== undefined) record(changes, object, name, fill(filled, property))
  }
  const additional = additionalSchemaOf(schema)
  // No schema of a CRD has both properties and additional ones.
  for (const [name, inner] of additional === undefined ? [] : Object.entries(object)) {
    if (inner !== undefined && additional !== undefined) record(changes, object, name, fillInner(inner, additional))
  }
  return Object.keys(changes).length === 0 ? object : { ...object, ...changes }
}

function record(changes: { [name: string]: JsonValue }, object: JsonObject, name: string, value: JsonValue): void {
  if (!Object.hasOwn(object, name) || object[name] !== value) changes[name] = value
}

function fillItems(items: readonly JsonValue[], schema: Schema): JsonValue {
  const filled = items.map((item) => fillInner(item, schema))
  return filled.some((item, index) => item !== items[index]) ? filled : items
}

/** An item, or the value of a map. */
function fillInner(value: JsonValue, schema: Schema): JsonValue {
  return fill(isForbiddenNull(value, schema) ? (schema.default ?? null) : value, schema)
}

function isForbiddenNull(value: JsonValue, schema: Schema): boolean {
  return value === null && schema.nullable !== true
}

/**
 * Without nulls that the schema of a custom resource neither allows nor replaces by a default: what the server does when
 * it decodes one. The very `value` when there are none.
 */
export function dropForbiddenNulls<T extends JsonValue>(value: T, schema: Schema): T {
  return dropNulls(value, schema) as T
}

function dropNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (isJsonArray(value)) {
    const items = value.map((item) => dropNulls(item, schema?.items))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isJsonObject(value)) return value
  let changed = false
  const kept: [string, JsonValue | undefined][] = []
  for (const [name, inner] of Object.entries(value)) {
    const property = schema && propertySchema(schema, name)
    const drops =
      inner === null && property !== undefined && property.nullable !== true && property.default === undefined
    const clean = drops || inner === undefined ? inner : dropNulls(inner, property)
    changed ||= drops || clean !== inner
    if (!drops) kept.push([name, clean])
  }
  return changed ? Object.fromEntries(kept) : value
}
