import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { prune } from '../../../core/schema/prune.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { badRequest } from '../api-status.ts'
import { decodePart } from '../kinds/decode/empty-parts.ts'
import { refused } from '../kinds/decode/go-decoder.ts'
import { DecodeProblem } from '../kinds/decode/go-types.ts'

/**
 * Decodes the schemas of a CRD at every depth. `items` and `additionalProperties` may hold several types, which the schema of
 * CRDs does not say. `props` is the schema of schemas.
 *
 * @throws ApiError 400
 */
export function decodeNestedSchemas(crd: KubeObject, props: Schema): KubeObject {
  const { spec } = crd
  if (!isJsonObject(spec) || !isJsonArray(spec.versions)) return crd
  const versions = spec.versions.map((version) => {
    if (!isJsonObject(version)) return version
    const { schema } = version
    if (!isJsonObject(schema) || !isJsonObject(schema.openAPIV3Schema)) return version
    try {
      return {
        ...version,
        schema: { ...schema, openAPIV3Schema: decodeParts(schema.openAPIV3Schema, { path: ROOT, props }) },
      }
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

/** A schema on the way, and the schema of schemas. */
interface Place {
  readonly path: Path
  readonly props: Schema
}

/** The parts of a schema that is decoded itself. */
function decodeParts(schema: JsonObject, place: Place): JsonObject {
  const { items, ...others } = schema
  const parts: Record<string, JsonValue | undefined> = { ...others, ...decodeItems(items, place) }
  const nested = (value: JsonValue | undefined, name: string): JsonValue =>
    isJsonObject(value) ? decodeParts(value, below(place, name)) : (value ?? null)
  for (const name of LISTS) {
    const list = schema[name]
    if (isJsonArray(list)) parts[name] = list.map((each) => nested(each, name))
  }
  if (isJsonObject(schema.not)) parts.not = nested(schema.not, 'not')
  for (const name of MAPS) {
    const map = schema[name]
    if (isJsonObject(map)) parts[name] = mapValues(map, (each) => nested(each, name))
  }
  if (isJsonObject(schema.dependencies)) {
    parts.dependencies = mapValues(schema.dependencies, (each) => decodeDependency(each, place))
  }
  for (const name of ['additionalProperties', 'additionalItems']) {
    const value = schema[name]
    if (value !== undefined && typeof value !== 'boolean' && !isJsonObject(value)) throw NEITHER
    if (value !== undefined) parts[name] = whole(value, name, place)
  }
  return parts
}

function below({ path, props }: Place, name: string): Place {
  return { path: [...path, name], props }
}

/** A schema that the decoder of the schema around it left as it was. */
function whole(value: JsonValue, name: string, place: Place): JsonValue {
  if (!isJsonObject(value)) return value
  const inner = below(place, name)
  return decodeParts(decodeProps(value, inner), inner)
}

/** What the schema does not know is dropped without a word. */
function decodeProps(schema: JsonObject, { path, props }: Place): JsonObject {
  try {
    return decodePart(prune(schema, props).value as JsonObject, props)
  } catch (error) {
    if (error instanceof DecodeProblem) error.enterPart(path, props)
    throw error
  }
}

/** One schema, or a list of them; anything else counts for nothing. */
function decodeItems(items: JsonValue | undefined, place: Place): JsonObject {
  if (isJsonObject(items)) return { items: whole(items, 'items', place) }
  if (!isJsonArray(items)) return {}
  for (const item of items) checkItem(item, place.props, 'items', place)
  return { items: items.map((item) => whole(item, 'items', place)) }
}

/** A schema, or a list of texts. */
function decodeDependency(value: JsonValue | undefined, place: Place): JsonValue {
  for (const item of isJsonArray(value) ? value : []) checkItem(item, TEXT, 'dependencies', place)
  return whole(value ?? null, 'dependencies', place)
}

function mapValues(map: JsonObject, change: (value: JsonValue | undefined) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}

function checkItem(item: JsonValue, wanted: Schema, name: string, { path, props }: Place): void {
  if (item === null || (wanted === TEXT ? typeof item === 'string' : isJsonObject(item))) return
  const problem = DecodeProblem.mismatch(item, wanted)
  problem.isWithinText = true
  problem.enter(props, name)
  problem.enterPart(path, props)
  throw problem
}

const TEXT: Schema = { type: 'string' }

const NEITHER = badRequest(
  'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
)
