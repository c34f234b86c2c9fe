import { getPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'

/** The fields that the engine sets in every status. */
const ENGINE_FIELDS = ['conditions', 'observedGeneration']

/**
 * Which fields of the engine are missing in the schema of a kind. The server silently drops a field that the schema does not name, so that
 * writing it would never have an effect.
 */
export function missingStatusFields(document: JsonObject, gvk: Gvk): readonly string[] {
  const schemas = objectAt(document, 'components', 'schemas')
  const schema = Object.values(schemas).find((candidate) => isOf(candidate, gvk))
  if (!isJsonObject(schema)) return []
  if (isOpen(schema)) return []
  const status = resolve(objectAt(schema, 'properties').status, schemas)
  return ENGINE_FIELDS.filter((field) => !isOpen(status) && objectAt(status, 'properties')[field] === undefined)
}

/** The part of a status that its schema names, and the paths of the rest, such as `status.conditions[].observedGeneration`. */
export interface FittedStatus {
  readonly status: JsonObject
  readonly lost: readonly string[]
}

/** A function that removes from a status what the server would drop; `undefined` if the document does not have the kind. */
export function statusFitter(document: JsonObject, gvk: Gvk): ((status: JsonObject) => FittedStatus) | undefined {
  const schemas = objectAt(document, 'components', 'schemas')
  const schema = Object.values(schemas).find((candidate) => isOf(candidate, gvk))
  if (!isJsonObject(schema)) return undefined
  return (status) => {
    const lost = new Set<string>()
    const fitted = fitFields({ status }, { schema, schemas, path: '', lost })
    return { status: objectAt(fitted, 'status'), lost: [...lost] }
  }
}

interface Place {
  readonly schema: JsonObject
  readonly schemas: JsonObject
  readonly path: string
  readonly lost: Set<string>
}

function fitValue(value: JsonValue, place: Place): JsonValue {
  // An embedded object may have fields that its schema does not name.
  if (place.schema['x-kubernetes-embedded-resource'] === true) return value
  if (isJsonObject(value)) return fitFields(value, place)
  const { items } = place.schema
  if (!isJsonArray(value) || items === undefined) return value
  const inner = { ...place, schema: resolve(items, place.schemas), path: `${place.path}[]` }
  return value.map((item) => fitValue(item, inner))
}

function fitFields(fields: JsonObject, { schema, schemas, path, lost }: Place): JsonObject {
  const { properties, additionalProperties } = schema
  const kept: { [key: string]: JsonValue } = {}
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const inner = path === '' ? key : `${path}.${key}`
    const room = (isJsonObject(properties) ? properties[key] : undefined) ?? additionalProperties
    if (isJsonObject(room) && Object.keys(room).length > 0) {
      kept[key] = fitValue(value, { schema: resolve(room, schemas), schemas, path: inner, lost })
    } else if (isOpen(schema) || room !== undefined) kept[key] = value
    else lost.add(inner)
  }
  return kept
}

function isOf(schema: JsonValue | undefined, { group, version, kind }: Gvk): boolean {
  const kinds = getPath(schema, ['x-kubernetes-group-version-kind'])
  if (!isJsonArray(kinds)) return false
  return kinds.some((one) => isJsonObject(one) && one.group === group && one.version === version && one.kind === kind)
}

function isOpen(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties !== undefined
}

/** Resolves `$ref`, which built-in kinds wrap into `allOf`. */
function resolve(schema: JsonValue | undefined, schemas: JsonObject): JsonObject {
  if (!isJsonObject(schema)) return {}
  const [only] = isJsonArray(schema.allOf) ? schema.allOf : []
  const { $ref } = isJsonObject(only) ? only : schema
  if (typeof $ref !== 'string') return schema
  const target = schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  return isJsonObject(target) ? target : {}
}

function objectAt(value: JsonObject, ...path: readonly string[]): JsonObject {
  let here: JsonValue | undefined = value
  for (const step of path) here = isJsonObject(here) ? here[step] : undefined
  return isJsonObject(here) ? here : {}
}
