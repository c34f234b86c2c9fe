import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/json.ts'
import { fieldsOf, isContainer, itemsOf } from './changes.ts'
import { isGoInteger } from './go-number.ts'
import { additionalSchemaOf, type Schema } from './schema.ts'
import { areSurelyDifferent } from './validate-lists.ts'
import { checkEnum, checkFormat, checkNumber, checkText, checkType } from './validate-scalar.ts'

/** By schema, the last value that was valid: so is what the next one shares with it. */
const lastValid = new WeakMap<Schema, JsonValue>()

/**
 * Whether a value has nothing that `validate` would complain about, items that occur twice included. Quick, for most values
 * are valid; `false` means only that a full validation is needed.
 */
export function isSurelyValid(value: JsonValue, schema: Schema): boolean {
  const isValid = fits(value, schema, lastValid.get(schema))
  if (isValid) lastValid.set(schema, value)
  return isValid
}

/** `valid` stood there in a value that was valid. */
function fits(value: JsonValue, schema: Schema, valid?: JsonValue): boolean {
  if (isContainer(value) && value === valid) return true
  if (schema.definition !== undefined || schema.uniqueItems === true) return false
  if (!fitsType(value, schema) || checkEnum(value, schema, '').errors.length > 0) return false
  if (value === null) return true
  if (!fitsAlternatives(value, schema)) return false
  if (typeof value === 'string') return isValidText(value, schema)
  if (typeof value === 'number') return isValidNumber(value, schema)
  if (isJsonArray(value)) return areValidItems(value, schema, itemsOf(valid))
  return !isJsonObject(value) || areValidFields(value, schema, fieldsOf(valid))
}

function fitsType(value: JsonValue, schema: Schema): boolean {
  if (value !== null && schema['x-kubernetes-int-or-string'] !== true) {
    if (schema.type === 'object') return isJsonObject(value)
    if (schema.type === 'array') return isJsonArray(value)
    if (schema.type === 'integer') return typeof value === 'number' && isGoInteger(value)
    if (schema.type === 'string' || schema.type === 'number' || schema.type === 'boolean')
      return typeof value === schema.type
  }
  return checkType(value, schema, '').errors.length === 0
}

function fitsAlternatives(value: JsonValue, { anyOf, allOf, oneOf, not }: Schema): boolean {
  if (oneOf?.length || not !== undefined) return false
  const fitsOne = (one: Schema): boolean => fits(value, one)
  return (!anyOf?.length || anyOf.some(fitsOne)) && (!allOf?.length || allOf.every(fitsOne))
}

function isValidText(text: string, schema: Schema): boolean {
  return checkText(text, schema, '').errors.length === 0 && checkFormat(text, schema, '').errors.length === 0
}

function isValidNumber(value: number, schema: Schema): boolean {
  const { format, maximum, minimum, multipleOf } = schema
  const isFree = format === undefined && maximum === undefined && minimum === undefined && multipleOf === undefined
  return isFree || checkNumber(value, schema, '').errors.length === 0
}

function areValidItems(items: JsonArray, schema: Schema, valid: JsonArray): boolean {
  const { items: itemSchema, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (items.length < minItems || items.length > maxItems || !areSurelyDifferent(items, schema)) return false
  return itemSchema === undefined || items.every((item, index) => fits(item, itemSchema, valid[index]))
}

function areValidFields(object: JsonObject, schema: Schema, valid: JsonObject): boolean {
  const { minProperties, maxProperties, required = [] } = schema
  if (minProperties !== undefined || maxProperties !== undefined) {
    const size = Object.values(object).filter((value) => value !== undefined).length
    if (size < (minProperties ?? 0) || size > (maxProperties ?? size)) return false
  }
  return (
    required.every((name) => Object.hasOwn(object, name) && object[name] !== undefined) &&
    Object.keys(object).every((name) => isValidField(object[name], { name, schema, valid: valid[name] }))
  )
}

interface FieldPlace {
  readonly name: string
  readonly schema: Schema
  readonly valid: JsonValue | undefined
}

/** Parts of built-in types (`metadata`) are not looked at. */
function isValidField(value: JsonValue | undefined, { name, schema, valid }: FieldPlace): boolean {
  const { properties, additionalProperties } = schema
  const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
  const fieldSchema = declared ?? additionalSchemaOf(schema)
  if (fieldSchema === undefined) return additionalProperties !== false
  return value === undefined || fieldSchema.definition !== undefined || fits(value, fieldSchema, valid)
}
