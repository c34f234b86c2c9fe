import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { numberAt, objectAt } from '../../kinds/common/fields.ts'
import { specOf, statusOf } from '../common/objects.ts'

export function replicasOf(object: KubeObject): number {
  return numberAt(specOf(object), 'replicas')
}

/** The sum of a count over the statuses of ReplicaSets. */
export function sumOf(sets: readonly KubeObject[], count: string): number {
  return sets.reduce((sum, set) => sum + numberAt(statusOf(set), count), 0)
}

/** How many pods ReplicaSets ask for. */
export function desiredOf(sets: readonly KubeObject[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0)
}

export interface Bounds {
  /** Pods beyond the desired number during a rollout. */
  readonly surge: number
  /** Pods that may lack during a rollout; never 0 together with `surge`. */
  readonly unavailable: number
}

/** The bounds of a rollout in numbers: surge rounded up, unavailable rounded down. */
export function boundsOf(deployment: KubeObject): Bounds {
  const desired = replicasOf(deployment)
  if (isRecreate(deployment) || desired === 0) return { surge: 0, unavailable: 0 }
  const rolling = objectAt(strategyOf(deployment), 'rollingUpdate')
  const surge = share(rolling.maxSurge, desired, Math.ceil)
  const unavailable = share(rolling.maxUnavailable, desired, Math.floor)
  if (surge === 0 && unavailable === 0) return { surge, unavailable: 1 }
  return { surge, unavailable: Math.min(unavailable, desired) }
}

export function isRecreate(deployment: KubeObject): boolean {
  return strategyOf(deployment).type === 'Recreate'
}

function strategyOf(deployment: KubeObject): JsonObject {
  return objectAt(specOf(deployment), 'strategy')
}

/** A number, or a percentage of a total. */
export function share(value: JsonValue | undefined, total: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(String(value), 10) * total) / 100)
}
