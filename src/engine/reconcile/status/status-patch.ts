import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEquals,
} from '../../../core/base/json.ts'
import { jsonChanges } from '../../../core/base/json-changes.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { type Condition, conditionsOf, isCondition, setCondition } from '../../../core/kube/condition.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { mergeDeep } from '../../role/functions/merge-deep.ts'
import { type Request, requestKey } from '../../runtime/reconciler.ts'
import type { Ledger } from '../ownership/ledger.ts'
import { FIELD_MANAGER } from '../ownership/ownership.ts'
import { ENGINE_CONDITION_TYPES, type EngineConditions } from './engine-conditions.ts'

export interface DesiredStatus {
  /** What the `status` tasks of the run set. */
  readonly fields: JsonObject
  /** Absent: only tasks write the status. */
  readonly conditions?: EngineConditions | undefined
  /** Absent: it is left as it is. */
  readonly observedGeneration?: number | undefined
  /** Whether fields that no task sets any more are removed. */
  readonly complete: boolean
  /** Types of conditions that tasks of earlier runs have set. In an atomic list nothing else says whose a condition is. */
  readonly taskConditions?: ReadonlySet<string> | undefined
  /** Removes what the server would drop. */
  readonly fit?: ((status: JsonObject) => JsonObject) | undefined
  /** RFC 3339. */
  readonly now: string
}

/**
 * The merge patch that turns the live status into the one that a run wants, or `undefined` if nothing differs.
 *
 * Fields of others stay: only fields that are ours by `managedFields` are ever removed. Conditions are merged by type. A merge patch replaces
 * the whole list, so the conditions of others are sent along unchanged.
 */
export function statusPatch(live: KubeObject, desired: DesiredStatus): JsonObject | undefined {
  const status = isJsonObject(live.status) ? live.status : {}
  const { conditions: taskConditions, ...fields } = desired.fields
  const wanted: JsonObject = {
    ...fields,
    ...(desired.observedGeneration !== undefined && { observedGeneration: desired.observedGeneration }),
    ...conditionsField(live, desired, taskConditions),
  }
  const owned = desired.complete ? ownedFields(live) : {}
  return difference(status, desired.fit?.(wanted) ?? wanted, without(owned, KEPT))
}

/** Never removed because they are unset: they have rules of their own. */
const KEPT = ['f:conditions', 'f:observedGeneration']

function difference(live: JsonObject, wanted: JsonObject, owned: JsonObject): JsonObject | undefined {
  const patch: { [key: string]: JsonValue } = {}
  for (const [key, value] of Object.entries(wanted)) {
    const change = changeOf(live[key], value, owned[`f:${key}`])
    if (change !== undefined) patch[key] = change
  }
  for (const key of Object.keys(owned)) {
    const name = key.slice(2)
    if (!key.startsWith('f:') || wanted[name] !== undefined || live[name] === undefined) continue
    const removal = removalOf(live[name], owned[key])
    if (removal !== undefined) patch[name] = removal
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}

function changeOf(
  live: JsonValue | undefined,
  value: JsonValue | undefined,
  owned: JsonValue | undefined,
): JsonValue | undefined {
  if (isJsonObject(value) && isJsonObject(live)) return difference(live, value, isJsonObject(owned) ? owned : {})
  return jsonEquals(live, value) ? undefined : value
}

/** The removal of a field: `null`, or of a map with fields of others, the removal of our keys. */
function removalOf(live: JsonValue | undefined, owned: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(live) || !isJsonObject(owned) || Object.keys(owned).length === 0) return null
  const ours = new Set(Object.keys(owned).map((key) => key.slice(2)))
  if (Object.keys(live).every((key) => ours.has(key))) return null
  return difference(live, {}, owned)
}

function conditionsField(live: KubeObject, desired: DesiredStatus, given: JsonValue | undefined): JsonObject {
  const { conditions: engine, observedGeneration, complete, now } = desired
  const fromTasks = Array.isArray(given) ? given.filter(isCondition) : []
  if (!engine && fromTasks.length === 0 && !complete) return {}
  const present = conditionsOf(live)
  const keep = new Set<string>(fromTasks.map(({ type }) => type))
  let conditions: readonly Condition[] = present.filter(
    ({ type }) => keep.has(type) || !isOursToRemove(live, type, desired),
  )
  for (const type of ENGINE_CONDITION_TYPES) {
    const condition = engine?.[type]
    if (condition) conditions = setCondition(conditions, { ...condition, observedGeneration }, now)
  }
  for (const condition of fromTasks) conditions = setCondition(conditions, { observedGeneration, ...condition }, now)
  if (conditions.length === 0 && present.length === 0) return {}
  return { conditions: conditions as readonly JsonValue[] as JsonValue }
}

/** Whether a condition that the run does not set must be removed. Those of the engine are removed at once, those of tasks by a complete run. */
function isOursToRemove(live: KubeObject, type: string, desired: DesiredStatus): boolean {
  const { conditions, complete, taskConditions } = desired
  if ((ENGINE_CONDITION_TYPES as readonly string[]).includes(type)) {
    return conditions !== undefined && conditions[type as keyof EngineConditions] === undefined
  }
  if (!complete) return false
  if (!hasConditionMap(live)) return taskConditions?.has(type) ?? false
  const owned = ownedFields(live)['f:conditions']
  return isJsonObject(owned) && Object.hasOwn(owned, conditionKey(type))
}

/** Whether `managedFields` has an entry for each condition. An atomic list has one manager as a whole: its last writer. */
export function hasConditionMap(live: KubeObject): boolean {
  const entries = live.metadata.managedFields ?? []
  const lists = entries
    .map(({ fieldsV1 }) => fieldsV1?.['f:status'])
    .map((status) => isJsonObject(status) && status['f:conditions'])
  return lists.some((list) => isJsonObject(list) && Object.keys(list).some((key) => key.startsWith('k:')))
}

/** The fields of the status that are ours by `managedFields`, which has an entry for each version that we wrote in. */
function ownedFields(live: KubeObject): JsonObject {
  const ours = live.metadata.managedFields?.filter(
    ({ manager, subresource }) => manager === FIELD_MANAGER && subresource === 'status',
  )
  return mergeDeep((ours ?? []).map(({ fieldsV1 }) => fieldsV1?.['f:status']).filter(isJsonObject))
}

/** Two versions of a resource. `isManaged`: the conditions of the engine are ours, whichever client has written them. */
export interface StatusChange {
  readonly before: KubeObject
  readonly after: KubeObject
  readonly isManaged: boolean
}

const MOST_FIELDS = 5

/** The resources whose status another client, or a former process of the operator, has overwritten since their last run began. */
export class SeenOverwrites {
  readonly #requests = new Set<string>()

  /** Notes a change that we have not made. Returns the fields in it that are ours, at most five: none is no overwrite. */
  note(request: Request, { before, after, isManaged }: StatusChange): readonly string[] {
    const [former, present] = [before, after].map((one) => ({ status: ownStatus(one, isManaged) }))
    if (jsonEquals(former, present)) return []
    this.#requests.add(requestKey(request))
    const changes = jsonChanges(former, present, MOST_FIELDS)
    return changes.map(({ field }) => field).sort()
  }

  has(request: Request): boolean {
    return this.#requests.has(requestKey(request))
  }

  forget(request: Request): void {
    this.#requests.delete(requestKey(request))
  }
}

/** What of a status is ours: the fields and conditions that `managedFields` says we have written, and the conditions of the engine. */
function ownStatus(resource: KubeObject, isManaged: boolean): JsonObject {
  const status = isJsonObject(resource.status) ? resource.status : {}
  const { 'f:conditions': list, ...fields } = ownedFields(resource)
  const types: readonly string[] = isManaged ? ENGINE_CONDITION_TYPES : []
  const isOurs = ({ type }: Condition): boolean =>
    types.includes(type) || (isJsonObject(list) && Object.hasOwn(list, conditionKey(type)))
  const conditions = conditionsOf(resource).filter(isOurs) as readonly JsonValue[] as JsonValue
  return { ...partOf(status, fields), conditions }
}

/** The part of an object that its entry in `managedFields` names. Of lists it is the whole list. */
function partOf(object: JsonObject, fields: JsonObject): JsonObject {
  const part: { [key: string]: JsonValue } = {}
  for (const [key, inner] of Object.entries(fields)) {
    const name = key.slice(2)
    const value = object[name]
    if (!key.startsWith('f:') || value === undefined) continue
    const isPart = isJsonObject(value) && isJsonObject(inner) && Object.keys(inner).length > 0
    part[name] = isPart ? partOf(value, inner) : value
  }
  return part
}

/** The key of a condition in `managedFields`. */
function conditionKey(type: string): string {
  return `k:${JSON.stringify({ type })}`
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

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

export interface Recollection {
  readonly client: Pick<KubeClient, 'get'>
  readonly ledger: Ledger
  readonly gvk: Gvk
  readonly resource: KubeObject
  /** Types of the conditions that the run sets. */
  readonly set: readonly string[]
  readonly signal: AbortSignal
}

/**
 * The types of conditions that tasks have set before this process started and that may be removed.
 *
 * The ledger remembers them by kind and not by resource, and an atomic list does not say whose a condition is. If another client also
 * writes the status, a condition of that type may be its own, so none is returned.
 */
export async function recalledConditions(recollection: Recollection): Promise<readonly string[]> {
  const { client, ledger, gvk, resource, set, signal } = recollection
  const { conditions } = await ledger.entryFor(gvk, signal)
  const isAtStake = conditionsOf(resource).some(({ type }) => conditions.includes(type) && !set.includes(type))
  if (!isAtStake || hasConditionMap(resource)) return conditions
  // Read live, since caches keep only our own entries of `managedFields`.
  const live = await client.get(gvk, keyOf(resource), { signal })
  return live && !hasOtherWriter(live) ? conditions : []
}

function hasOtherWriter({ metadata: { managedFields = [] } }: KubeObject): boolean {
  return managedFields.some(
    ({ manager, fieldsV1 }) => manager !== FIELD_MANAGER && getPath(fieldsV1, ['f:status']) !== undefined,
  )
}
