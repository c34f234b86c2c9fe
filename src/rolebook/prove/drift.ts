import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { applyEntryOf, FIELD_MANAGER, MARKS_PREFIX } from '../../engine/reconcile/ownership/ownership.ts'
import type { Dice } from './dice.ts'

export interface DriftOptions {
  /**
   * Whether it may be a field of an item of a list. Defaults to true. A role that drops the item while another manager has a field of it
   * cannot take the item away, as server-side apply has it: what is edited has no such drift.
   */
  readonly inItems?: boolean
}

/** A merge patch by which another hand changes one value that the role has set. `undefined`: there is none. */
export function driftOf(dice: Dice, child: KubeObject, { inItems = true }: DriftOptions = {}): JsonObject | undefined {
  const fields = applyEntryOf(child, FIELD_MANAGER)?.fieldsV1
  const live = child as unknown as JsonObject
  const all = isJsonObject(fields) ? leavesOf(live, fields, []).filter((leaf) => mayDrift(leaf, child)) : []
  const leaves = inItems ? all : all.filter(({ path }) => path.every((step) => typeof step === 'string'))
  if (leaves.length === 0) return undefined
  const { path, value } = dice.pick(leaves)
  return mergePatch(live, path, otherThan(value))
}

interface Leaf {
  readonly path: JsonPath
  readonly value: string | number | boolean
}

/**
 * Whose an object is, and what is made up in a Secret, is not the role's to put back. A pod of a StatefulSet that another hand has broken
 * stays broken when the template is mended: Kubernetes waits for it until a person deletes it ("Forced rollback").
 */
function mayDrift({ path: [first, second, third] }: Leaf, { kind }: KubeObject): boolean {
  if (kind === 'StatefulSet' && first === 'spec' && second === 'template' && third === 'spec') return false
  if (first !== 'metadata') return !(kind === 'Secret' && first === 'data')
  return second !== 'ownerReferences' && !String(third).startsWith(MARKS_PREFIX)
}

/**
 * The values that `managedFields` name. The key fields of list items are left out: an item with a changed key is a new item
 * that belongs to another manager, and stays.
 */
function leavesOf(value: JsonValue | undefined, fields: JsonObject, path: JsonPath): readonly Leaf[] {
  const inner = Object.entries(fields).filter(([element]) => element !== '.')
  if (inner.length === 0) return allIn(value, path)
  return inner.flatMap(([element, below]) => {
    const rest = isJsonObject(below) ? below : {}
    if (element.startsWith('f:') && isJsonObject(value)) {
      const key = element.slice(2)
      return leavesOf(value[key], rest, [...path, key])
    }
    if (!element.startsWith('k:') || !isJsonArray(value)) return []
    const keys = JSON.parse(element.slice(2)) as JsonObject
    const index = indexOf(value, keys)
    const others = Object.fromEntries(
      Object.entries(rest).filter(([part]) => part !== '.' && keys[part.slice(2)] === undefined),
    )
    return index === -1 || Object.keys(others).length === 0 ? [] : leavesOf(value[index], others, [...path, index])
  })
}

function indexOf(list: JsonArray, keys: JsonObject): number {
  return list.findIndex(
    (item) => isJsonObject(item) && Object.entries(keys).every(([key, value]) => item[key] === value),
  )
}

function allIn(value: JsonValue | undefined, path: JsonPath): readonly Leaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [{ path, value }]
  if (isJsonArray(value)) return value.flatMap((item, index) => allIn(item, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => allIn(inner, [...path, key]))
}

function otherThan(value: Leaf['value']): JsonValue {
  if (typeof value === 'boolean') return !value
  return typeof value === 'number' ? value + 1 : 'drifted'
}

/** The fields on the way to a place, a list on it as a whole. */
function mergePatch(live: JsonValue | undefined, path: JsonPath, value: JsonValue): JsonObject {
  const [key = ''] = path
  const field = isJsonObject(live) ? live[key] : undefined
  const rest = path.slice(1)
  if (rest.length === 0) return { [key]: value }
  return { [key]: isJsonArray(field) ? replaced(field, rest, value) : mergePatch(field, rest, value) }
}

/** A copy of a value with another one at a place. */
function replaced(whole: JsonValue | undefined, path: JsonPath, value: JsonValue): JsonValue {
  const [key] = path
  if (key === undefined) return value
  if (isJsonArray(whole)) return whole.map((item, at) => (at === key ? replaced(item, path.slice(1), value) : item))
  const object = isJsonObject(whole) ? whole : {}
  return { ...object, [key]: replaced(object[key], path.slice(1), value) }
}
