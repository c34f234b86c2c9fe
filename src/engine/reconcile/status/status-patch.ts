import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { type Condition, conditionsOf, isCondition, setCondition } from '../../../core/kube/condition.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { mergeDeep } from '../../role/merge-deep.ts'
import { FIELD_MANAGER } from '../ownership/marks.ts'
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
  return isJsonObject(owned) && Object.hasOwn(owned, `k:${JSON.stringify({ type })}`)
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

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
