import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/json.ts'
import { Changes, changeItems, isContainer } from './changes.ts'
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
  const changes = new Changes(object)
  for (const name of Object.keys(schema.properties ?? {})) {
    const property = schema.properties?.[name] as Schema
    const present = Object.hasOwn(object, name) ? object[name] : undefined
    const missing = present === undefined || isForbiddenNull(present, property)
    const filled = missing ? property.default : present
    if (filled !== undefined) changes.set(name, fill(filled, property))
  }
  const additional = additionalSchemaOf(schema)
  // No schema of a CRD has both properties and additional ones.
  for (const [name, inner] of additional === undefined ? [] : Object.entries(object)) {
    if (inner !== undefined && additional !== undefined) changes.set(name, fillInner(inner, additional))
  }
  return changes.result()
}

function fillItems(items: JsonArray, schema: Schema): JsonValue {
  return changeItems(items, (item) => fillInner(item, schema))
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
  if (isJsonArray(value)) return changeItems(value, (item) => dropNulls(item, schema?.items))
  if (!isJsonObject(value)) return value
  const changes = new Changes(value)
  for (const name of Object.keys(value)) {
    const inner = value[name]
    if (inner !== null && !isContainer(inner)) continue
    const property = schema && propertySchema(schema, name)
    if (inner !== null) changes.set(name, dropNulls(inner, property))
    else if (property !== undefined && property.nullable !== true && property.default === undefined) changes.drop(name)
  }
  return changes.result()
}
