import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/json.ts'
import { walkDown } from '../base/nested-too-deeply.ts'
import { Changes, changeItems, fieldsOf, isContainer, itemsOf } from './changes.ts'
import { additionalSchemaOf, propertySchema, type Schema } from './schema.ts'

/** By schema, the last value that missed no default: what the next one shares with it misses none either. */
const lastComplete = new WeakMap<Schema, JsonValue>()

/**
 * `value` with the defaults of the schema of a custom resource in it; the very `value` when none is missing. A null that
 * the schema does not allow counts as missing. Built-in parts (`metadata`) are left alone.
 */
export function applyDefaults<T extends JsonValue>(value: T, schema: Schema): T {
  const filled = fill(value, schema, lastComplete.get(schema)) as T
  if (filled === value) lastComplete.set(schema, value)
  return filled
}

/** `complete` stood there in a value that missed nothing. */
function fill(value: JsonValue, schema: Schema, complete?: JsonValue): JsonValue {
  if (schema.definition !== undefined || value === complete) return value
  if (isJsonObject(value)) return fillObject(value, schema, fieldsOf(complete))
  return isJsonArray(value) && schema.items !== undefined ? fillItems(value, schema.items, itemsOf(complete)) : value
}

function fillObject(object: JsonObject, schema: Schema, complete: JsonObject): JsonValue {
  const changes = new Changes(object)
  for (const name of Object.keys(schema.properties ?? {})) {
    const property = schema.properties?.[name] as Schema
    const present = Object.hasOwn(object, name) ? object[name] : undefined
    const missing = present === undefined || isForbiddenNull(present, property)
    const filled = missing ? property.default : present
    if (filled !== undefined) changes.set(name, fill(filled, property, complete[name]))
  }
  const additional = additionalSchemaOf(schema)
  // No schema of a CRD has both properties and additional ones.
  for (const [name, inner] of additional === undefined ? [] : Object.entries(object)) {
    if (inner !== undefined && additional !== undefined) changes.set(name, fillInner(inner, additional, complete[name]))
  }
  return changes.result()
}

function fillItems(items: JsonArray, schema: Schema, complete: JsonArray): JsonValue {
  return changeItems(items, (item, index) => fillInner(item, schema, complete[index]))
}

/** An item, or the value of a map. */
function fillInner(value: JsonValue, schema: Schema, complete: JsonValue | undefined): JsonValue {
  return fill(isForbiddenNull(value, schema) ? (schema.default ?? null) : value, schema, complete)
}

function isForbiddenNull(value: JsonValue, schema: Schema): boolean {
  return value === null && schema.nullable !== true
}

/** By schema, the last value that had no forbidden nulls: what the next one shares with it has none either. */
const lastWithoutNulls = new WeakMap<Schema, JsonValue>()

/**
 * Without nulls that the schema of a custom resource neither allows nor replaces by a default: what the server does when
 * it decodes one. The very `value` when there are none.
 */
export function dropForbiddenNulls<T extends JsonValue>(value: T, schema: Schema): T {
  const dropped = walkDown(() => dropNulls(value, schema, lastWithoutNulls.get(schema))) as T
  if (dropped === value) lastWithoutNulls.set(schema, value)
  return dropped
}

/** `clean` stood there in a value that had none. */
function dropNulls(value: JsonValue, schema: Schema | undefined, clean: JsonValue | undefined): JsonValue {
  if (value === clean) return value
  if (isJsonArray(value)) {
    const items = itemsOf(clean)
    return changeItems(value, (item, index) => dropNulls(item, schema?.items, items[index]))
  }
  if (!isJsonObject(value)) return value
  const changes = new Changes(value)
  for (const name of Object.keys(value)) {
    const inner = value[name]
    if (inner !== null && !isContainer(inner)) continue
    const property = schema && propertySchema(schema, name)
    if (inner !== null) changes.set(name, dropNulls(inner, property, fieldsOf(clean)[name]))
    else if (property !== undefined && property.nullable !== true && property.default === undefined) changes.drop(name)
  }
  return changes.result()
}
