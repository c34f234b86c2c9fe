import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import { isDeleting, statusOf } from './objects.ts'

export function phaseOf(pod: KubeObject): string {
  return textAt(statusOf(pod), 'phase')
}

export function isFinished(pod: KubeObject): boolean {
  return phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed'
}

/** Counts for its workload: neither ended nor on its way out. */
export function isActive(pod: KubeObject): boolean {
  return !isFinished(pod) && !isDeleting(pod)
}

export function conditionOf(object: KubeObject, type: string): JsonObject | undefined {
  return itemsAt(statusOf(object), 'conditions').find((condition) => condition.type === type)
}

export function isReady(pod: KubeObject): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True'
}

/** Milliseconds until a ready pod counts as available; 0 when it does, `undefined` when it is not ready. */
export function availableIn(pod: KubeObject, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) return undefined
  const since = Date.parse(textAt(conditionOf(pod, 'Ready'), 'lastTransitionTime'))
  return Math.max(0, since + minReadySeconds * 1000 - now)
}

export interface PodCounts {
  readonly active: readonly KubeObject[]
  readonly ready: number
  readonly available: number
  readonly terminating: number
  /** Milliseconds until the next ready pod becomes available, if one will. */
  readonly nextAvailable: number | undefined
}

export function countPods(pods: readonly KubeObject[], minReadySeconds: number, now: number): PodCounts {
  const active = pods.filter(isActive)
  const waits = active.flatMap((pod) => availableIn(pod, minReadySeconds, now) ?? [])
  const pending = waits.filter((wait) => wait > 0)
  return {
    active,
    ready: waits.length,
    available: waits.length - pending.length,
    terminating: pods.filter((pod) => isDeleting(pod) && !isFinished(pod)).length,
    nextAvailable: pending.length === 0 ? undefined : Math.min(...pending),
  }
}

/** How many restarts a pod has had, in all containers. */
export function restartsOf(pod: KubeObject): number {
  const statuses = itemsAt(statusOf(pod), 'containerStatuses')
  return statuses.reduce((sum, status) => sum + numberAt(status, 'restartCount'), 0)
}

export function containersOf(pod: KubeObject): readonly JsonObject[] {
  return itemsAt(objectAt(pod, 'spec'), 'containers')
}
