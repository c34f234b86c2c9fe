import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt } from '../../kinds/common/fields.ts'

/** What a ReplicaSet, and its Deployment, say while pods are refused. */
export const REPLICA_FAILURE = 'ReplicaFailure'

export interface ConditionChange {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export function findCondition(status: JsonObject, type: string): JsonObject | undefined {
  return itemsAt(status, 'conditions').find((condition) => condition.type === type)
}

/**
 * A status with one condition set, as the real controller does it: nothing happens when status and reason are that
 * already; else it moves to the end, and its transition time stays if its status does.
 */
export function setCondition(status: JsonObject, change: ConditionChange, time: string): JsonObject {
  const current = findCondition(status, change.type)
  const isSame = current?.status === change.status && current.reason === change.reason
  return isSame ? status : renewCondition(status, change, time)
}

/** Sets a condition even if only its times change: progress was made. */
export function renewCondition(status: JsonObject, change: ConditionChange, time: string): JsonObject {
  const current = findCondition(status, change.type)
  const lastTransitionTime = current?.status === change.status ? current.lastTransitionTime : time
  const condition = { ...change, lastUpdateTime: time, lastTransitionTime }
  return { ...status, conditions: [...othersThan(change.type, status), condition] }
}

export function removeCondition(status: JsonObject, type: string): JsonObject {
  if (!findCondition(status, type)) return status
  return { ...status, conditions: othersThan(type, status) }
}

function othersThan(type: string, status: JsonObject): readonly JsonObject[] {
  return itemsAt(status, 'conditions').filter((condition) => condition.type !== type)
}
