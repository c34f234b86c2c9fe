import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest } from '../api-status.ts'

/** Reads a JSON schema as the Go type does, its own fields only. */
export type DecodeSchema = (schema: JsonObject) => JsonObject

/**
 * A CRD whose schemas are decoded at every depth. What stands in `items` and `additionalProperties` may be of several types,
 * which the schema of CRDs does not tell.
 *
 * @throws ApiError 400
 */
export function decodeNestedSchemas(crd: KubeObject, decode: DecodeSchema): KubeObject {
  const { spec } = crd
  if (!isJsonObject(spec) || !isJsonArray(spec.versions)) return crd
  const versions = spec.versions.map((version) => {
    if (!isJsonObject(version)) return version
    const { schema } = version
    if (!isJsonObject(schema) || !isJsonObject(schema.openAPIV3Schema)) return version
    return { ...version, schema: { ...schema, openAPIV3Schema: decodeParts(schema.openAPIV3Schema, decode) } }
  })
  return { ...crd, spec: { ...spec, versions } } as KubeObject
}

/** The parts of a schema that is decoded itself. */
function decodeParts(schema: JsonObject, decode: DecodeSchema): JsonObject {
  const parts: Record<string, JsonValue | undefined> = { ...schema }
  const nested = (value: JsonValue): JsonValue => (isJsonObject(value) ? decodeParts(value, decode) : value)
  const whole = (value: JsonValue): JsonValue => (isJsonObject(value) ? decodeParts(decode(value), decode) : value)
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const list = schema[name]
    if (isJsonArray(list)) parts[name] = list.map(nested)
  }
  if (isJsonObject(schema.not)) parts.not = nested(schema.not)
  const { properties, items, additionalProperties } = schema
  if (isJsonObject(properties)) {
    parts.properties = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, nested(each ?? null)]),
    )
  }
  if (isJsonObject(items)) parts.items = whole(items)
  else if (isJsonArray(items)) parts.items = items.map(whole)
  else delete parts.items
  if (isJsonObject(additionalProperties)) parts.additionalProperties = whole(additionalProperties)
  else if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean') throw NEITHER
  return parts
}

const NEITHER = badRequest(
  'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
)
