import { isJsonArray, isJsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { Changes, changeItems } from '../../../../core/schema/changes.ts'
import { propertySchema, type Schema } from '../../../../core/schema/schema.ts'

/**
 * The value with all numbers that are too large for their fields cut to the bits of these. Go does so where it takes
 * fields from data; where it reads them from text, it refuses them.
 */
export function wrapIntegers(value: JsonValue, schema: Schema | undefined): JsonValue {
  return schema && hasLarge(value) ? wrap(value, schema) : value
}

function isLarge(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value !== (value | 0)
}

/** Whether a walk is worth it. */
function hasLarge(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(hasLarge)
  if (isJsonObject(value)) return Object.values(value).some(hasLarge)
  return value !== undefined && isLarge(value)
}

/** What is beyond 64 bits is a number with a fraction to Go, and the lowest one of 64 bits when it is made an integer. */
function lowBits(value: number): number {
  return Math.abs(value) < 2 ** 63 ? Number(BigInt.asIntN(32, BigInt(value))) : 0
}

function wrap(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return value
  if (isJsonArray(value)) return changeItems(value, (item) => wrap(item, schema.items))
  if (isJsonObject(value)) {
    const changes = new Changes(value)
    for (const [name, inner] of Object.entries(value)) {
      if (inner !== undefined) changes.set(name, wrap(inner, propertySchema(schema, name)))
    }
    return changes.result()
  }
  // A type that reads itself, such as a number or a text, does so from text.
  if (schema.type !== 'integer' || schema.definition !== undefined || !isLarge(value)) return value
  if (schema.format === 'int32') return lowBits(value)
  return Math.abs(value) < 2 ** 63 ? value : -(2 ** 63)
}
