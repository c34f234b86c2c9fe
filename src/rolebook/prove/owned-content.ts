import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { Schema } from '../../core/schema/schema.ts'
import {
  applyEntryOf,
  FIELD_MANAGER,
  MARKS_PREFIX,
  OWNER_ANNOTATION,
} from '../../engine/reconcile/ownership/ownership.ts'
import { matchObject } from '../role-test/match-object.ts'

/** Whether the object is a child, of any resource. */
export function isChild({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[OWNER_ANNOTATION] !== undefined
}

/** What the role has set in a child: its live fields, without the marks that name the owner. */
export function ownedContent(child: KubeObject): JsonObject {
  const fields = applyEntryOf(child, FIELD_MANAGER)?.fieldsV1
  const owned = isJsonObject(fields) ? (ownedPart(child as unknown as JsonObject, fields) as JsonObject) : {}
  const { metadata, ...rest } = owned as { readonly metadata?: JsonObject } & JsonObject
  if (!isJsonObject(metadata)) return rest
  const { ownerReferences: _owners, labels, annotations, ...more } = metadata
  const kept = { ...more, ...unmarked('labels', labels), ...unmarked('annotations', annotations) }
  return Object.keys(kept).length === 0 ? rest : { ...rest, metadata: kept }
}

function unmarked(field: string, map: JsonValue | undefined): JsonObject {
  if (!isJsonObject(map)) return {}
  const kept = Object.entries(map).filter(([key]) => !key.startsWith(MARKS_PREFIX))
  return kept.length === 0 ? {} : { [field]: Object.fromEntries(kept) }
}

/** The fields and items that `managedFields` name. */
function ownedPart(value: JsonValue, fields: JsonObject): JsonValue {
  const inner = Object.entries(fields).filter(([element]) => element !== '.')
  if (inner.length === 0) return value
  if (isJsonArray(value)) return ownedItems(value, inner)
  if (!isJsonObject(value)) return value
  const entries = inner.flatMap(([element, below]) => {
    const key = element.slice(2)
    const field = value[key]
    return field === undefined ? [] : [[key, ownedPart(field, isJsonObject(below) ? below : {})] as const]
  })
  return Object.fromEntries(entries)
}

/** Items by their keys, and those of a set. */
function ownedItems(list: JsonArray, elements: readonly (readonly [string, JsonValue | undefined])[]): JsonValue {
  return elements.flatMap(([element, below]) => {
    const name: JsonValue = JSON.parse(element.slice(2))
    if (!isJsonObject(name)) return [name]
    const item = list.find(
      (one) => isJsonObject(one) && Object.entries(name).every(([key, value]) => one[key] === value),
    )
    return item === undefined ? [] : [ownedPart(item, isJsonObject(below) ? below : {})]
  })
}

/** What each cluster chooses by itself, or what hangs on it. */
const CHOSEN =
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{8,64})\b/g

/** The value without what clusters choose. */
export function masked(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll(CHOSEN, '<chosen>')
  if (isJsonArray(value)) return value.map(masked)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner ?? null)]))
}

/** The part of what is wanted, from the top down to the first list, that an object does not have. `undefined`: none. */
export function missingPart(
  wanted: JsonObject,
  actual: JsonObject,
  schema: Schema | undefined,
): JsonObject | undefined {
  const [difference] = matchObject(masked(wanted) as JsonObject, masked(actual) as JsonObject, schema)
  return difference && partAt(wanted, difference.path)
}

function partAt(value: JsonObject, [key = '', ...rest]: JsonPath): JsonObject {
  const inner = value[key]
  return { [key]: isJsonObject(inner) && rest.length > 0 ? partAt(inner, rest) : inner }
}
