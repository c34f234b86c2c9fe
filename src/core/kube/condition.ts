import { isJsonObject, type JsonValue } from '../base/json.ts'
import type { KubeObject } from './object.ts'

/** One entry of `status.conditions`. */
export type Condition = {
  readonly type: string
  readonly status: string
  readonly reason?: string | undefined
  readonly message?: string | undefined
  readonly observedGeneration?: number | undefined
  readonly lastTransitionTime?: string | undefined
  readonly [field: string]: JsonValue | undefined
}

/** The well-formed conditions of an object's status, in their order. */
export function conditionsOf(object: KubeObject): readonly Condition[] {
  const status = object.status
  const conditions = isJsonObject(status) ? status.conditions : undefined
  return Array.isArray(conditions) ? conditions.filter(isCondition) : []
}

export function isCondition(value: unknown): value is Condition {
  return isJsonObject(value) && typeof value.type === 'string' && typeof value.status === 'string'
}

export function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type)
}

/**
 * The list with `condition` in the place of the one of its type, or at the end.
 *
 * `lastTransitionTime` moves to `now` (RFC 3339) only when the status changes; a time that `condition` brings is kept.
 */
export function setCondition(conditions: readonly Condition[], condition: Condition, now: string): Condition[] {
  const index = conditions.findIndex(({ type }) => type === condition.type)
  const previous = conditions[index]
  const kept = previous?.status === condition.status ? previous.lastTransitionTime : undefined
  const entry = {
    ...condition,
    lastTransitionTime: condition.lastTransitionTime ?? kept ?? now,
  }
  return previous ? conditions.with(index, entry) : [...conditions, entry]
}
