import type { JsonValue } from '../base/json.ts'
import type { KubeObject } from './object.ts'

/**
 * How many levels of an object are looked at. An API server takes some 10,000 levels where a schema is open; code that walks
 * values recursively does not. Real objects have less than 50.
 */
export const MOST_LEVELS = 1_000

const CUT = Symbol('cut at the most levels')

interface CutObject extends KubeObject {
  readonly [CUT]?: true
}

/**
 * Returns the same object, or only its name without its content when it is nested more deeply than `MOST_LEVELS`. Therefore
 * all later code may walk objects recursively. `isCut` says whether the content was left out.
 */
export function cutDeepNesting(object: KubeObject): KubeObject {
  if (!isDeeperThan(object as JsonValue, MOST_LEVELS)) return object
  const { apiVersion, kind, metadata, status } = object
  const { managedFields = [], ...rest } = metadata
  const kept = managedFields.filter(({ fieldsV1 = {} }) => !isDeeperThan(fieldsV1, MOST_LEVELS))
  const shallowStatus = status !== undefined && !isDeeperThan(status, MOST_LEVELS) && { status }
  const cut: CutObject = { apiVersion, kind, metadata: { ...rest, managedFields: kept }, ...shallowStatus, [CUT]: true }
  return cut
}

/** Whether the content of the object was left out because it is nested too deeply. */
export function isCut(object: CutObject): boolean {
  return object[CUT] === true
}

/** Recurses no further than `levels`. */
function isDeeperThan(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // A loop over keys takes several times as long.
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof child === 'object' && isDeeperThan(child, levels - 1)) return true
  }
  return false
}
