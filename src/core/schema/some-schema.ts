import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Schema } from './schema.ts'

/** Whether something holds for a schema of a CRD, or for any schema within it. */
export function someSchema(schema: Schema, holds: (schema: Schema) => boolean): boolean {
  return holds(schema) || innerSchemas(schema as JsonObject).some((inner) => someSchema(inner, holds))
}

const ONE_OR_LIST = ['items', 'additionalProperties', 'additionalItems', 'not', 'allOf', 'anyOf', 'oneOf']
const BY_NAME = ['properties', 'patternProperties', 'definitions', 'dependencies']

function innerSchemas(schema: JsonObject): readonly Schema[] {
  const lists = ONE_OR_LIST.flatMap((keyword) => schema[keyword] ?? [])
  const maps = BY_NAME.flatMap((keyword) => valuesOf(schema[keyword]))
  return [...lists, ...maps].filter(isJsonObject) as Schema[]
}

function valuesOf(map: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return isJsonObject(map) ? Object.values(map) : []
}
