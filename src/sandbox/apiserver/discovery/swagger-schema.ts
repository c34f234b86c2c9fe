import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'

const PRESERVE = 'x-kubernetes-preserve-unknown-fields'

/** Whether any field may stand at the root: of such a kind OpenAPI v2 says no more than that it is an object. */
export function isOpenAtRoot(schema: JsonObject): boolean {
  return schema[PRESERVE] === true
}

/** What OpenAPI v2 shows of the schema of a custom resource. kubectl refuses fields beside any that it shows. */
export function toSwaggerSchema(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, not, nullable, items, properties, required, additionalProperties, type, ...rest } =
    schema
  const isOpen = schema[PRESERVE] === true
  const isUntyped = nullable === true
  const hidesFields = isOpen || isUntyped
  const shownItems = !hidesFields && isJsonObject(items) ? toSwaggerSchema(items) : undefined
  const hidesType = isUntyped || (isOpen && type === 'object') || (type === 'array' && shownItems === undefined)
  const values = isJsonObject(additionalProperties) ? toSwaggerSchema(additionalProperties) : additionalProperties
  const stillRequired = requiredOf(schema)
  return {
    ...rest,
    ...(!hidesType && type !== undefined && { type }),
    ...(shownItems && { items: shownItems }),
    ...(!hidesFields && isJsonObject(properties) && { properties: mapFields(properties) }),
    ...(values !== undefined && { additionalProperties: values }),
    ...(stillRequired.length > 0 && { required: stillRequired }),
  }
}

function mapFields(properties: JsonObject): JsonObject {
  const fields = Object.entries(properties).map(([name, field]): [string, JsonValue] => [
    name,
    isJsonObject(field) ? toSwaggerSchema(field) : (field ?? null),
  ])
  return Object.fromEntries(fields)
}

/** Without fields that may be null, without any where values may be, and without the type of an object that is open. */
function requiredOf(schema: JsonObject): readonly JsonValue[] {
  const { required, properties, additionalProperties } = schema
  if (!isJsonArray(required) || isNullable(additionalProperties)) return []
  const fields = isJsonObject(properties) ? properties : {}
  const isOpenObject = schema[PRESERVE] === true && schema['x-kubernetes-embedded-resource'] === true
  return required.filter((name) => {
    const isType = name === 'apiVersion' || name === 'kind'
    return !isNullable(fields[String(name)]) && !(isOpenObject && isType)
  })
}

function isNullable(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema.nullable === true
}
