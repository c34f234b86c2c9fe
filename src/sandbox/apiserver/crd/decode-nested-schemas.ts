import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest } from '../api-status.ts'
import { refused } from '../kinds/decode/go-decoder.ts'
import { DecodeProblem } from '../kinds/decode/go-types.ts'

/**
 * Reads a JSON schema as the Go type does, its own fields only. What it does not know is dropped without a word.
 *
 * @throws DecodeProblem
 */
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
    try {
      return { ...version, schema: { ...schema, openAPIV3Schema: decodeParts(schema.openAPIV3Schema, ROOT, decode) } }
    } catch (error) {
      throw error instanceof DecodeProblem ? refused(gvkOf(crd), error) : error
    }
  })
  return { ...crd, spec: { ...spec, versions } } as KubeObject
}

/** Where a schema stands, by the names of its fields in Go. */
type Path = readonly string[]

const ROOT: Path = ['spec', 'versions', 'schema', 'openAPIV3Schema']
const LISTS = ['allOf', 'anyOf', 'oneOf']
const MAPS = ['properties', 'patternProperties', 'definitions']

/** The parts of a schema that is decoded itself. */
function decodeParts(schema: JsonObject, path: Path, decode: DecodeSchema): JsonObject {
  const parts: Record<string, JsonValue | undefined> = { ...schema }
  const nested = (value: JsonValue | undefined, name: string): JsonValue =>
    isJsonObject(value) ? decodeParts(value, [...path, name], decode) : (value ?? null)
  const whole = (value: JsonValue, name: string): JsonValue =>
    isJsonObject(value) ? decodeParts(decodeAt([...path, name], value, decode), [...path, name], decode) : value
  for (const name of LISTS) {
    const list = schema[name]
    if (isJsonArray(list)) parts[name] = list.map((each) => nested(each, name))
  }
  if (isJsonObject(schema.not)) parts.not = nested(schema.not, 'not')
  for (const name of MAPS) {
    const map = schema[name]
    if (!isJsonObject(map)) continue
    parts[name] = Object.fromEntries(Object.entries(map).map(([key, each]) => [key, nested(each, name)]))
  }
  const { items } = schema
  if (isJsonObject(items)) parts.items = whole(items, 'items')
  else if (isJsonArray(items)) parts.items = items.map((each) => whole(each, 'items'))
  else delete parts.items
  for (const name of ['additionalProperties', 'additionalItems']) {
    const value = schema[name]
    if (isJsonObject(value)) parts[name] = whole(value, name)
    else if (value !== undefined && typeof value !== 'boolean') throw NEITHER
  }
  return parts
}

function decodeAt(path: Path, schema: JsonObject, decode: DecodeSchema): JsonObject {
  try {
    return decode(schema)
  } catch (error) {
    if (error instanceof DecodeProblem) error.enterPath(path)
    throw error
  }
}

const NEITHER = badRequest(
  'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
)
