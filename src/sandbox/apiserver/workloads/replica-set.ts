import type { JsonObject } from '../../../core/base/json.ts'
import type { ApiError } from '../../../core/kube/api-error.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, sortedEntries, textAt } from '../kinds/common/fields.ts'
import type { ClaimedObjects } from './common/claimed-objects.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { byAge, isDeleting, putStatus, specOf, statusOf, timestamp, withoutZeros } from './common/objects.ts'
import { podFrom } from './common/pod-factory.ts'
import { conditionOf, countPods, isActive, isReady, type PodCounts, phaseOf, restartsOf } from './common/pod-state.ts'
import { createPods, deletePod } from './common/pod-writes.ts'
import { REPLICA_FAILURE } from './deployment/conditions.ts'
import { MAX_PODS } from './nodes.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Keeps as many pods of a template as a ReplicaSet asks for. */
export function replicaSetController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'replicaset-controller',
    kind: KINDS.replicaSet,
    reconciler: (tools) => new ReplicaReconciler(tools, ({ terminating }) => ({ terminatingReplicas: terminating })),
  })
}

/** The older kind of the same controller. Its status does not count pods that are terminating. */
export function replicationController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'replication-controller',
    kind: KINDS.replicationController,
    reconciler: (tools) => new ReplicaReconciler(tools, () => ({})),
  })
}

/** The number of pods that are made at once. The events about them trigger the next ones. */
const BURST = 250

class ReplicaReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #pods: ClaimedObjects
  readonly #moreStatus: (counts: PodCounts) => JsonObject

  /** `moreStatus` is what the status of this kind says beyond that of others. */
  constructor(tools: ControllerTools, moreStatus: (counts: PodCounts) => JsonObject) {
    this.#tools = tools
    this.#moreStatus = moreStatus
    this.#pods = tools.claimed(KINDS.pod)
  }

  reconcile(replicaSet: KubeObject): void {
    const refusal = isDeleting(replicaSet) ? undefined : this.#scale(replicaSet)
    this.#writeStatus(replicaSet, refusal)
    if (refusal) throw refusal
  }

  #scale(replicaSet: KubeObject): ApiError | undefined {
    const active = this.#pods.claim(replicaSet).filter(isActive)
    const missing = Math.min(numberAt(specOf(replicaSet), 'replicas'), MAX_PODS) - active.length
    const template = objectAt(specOf(replicaSet), 'template')
    if (missing > 0) {
      const pods = Array.from({ length: Math.min(missing, BURST) }, () => podFrom(replicaSet, template))
      return createPods(this.#tools, replicaSet, pods)
    }
    // Ranking thousands of pods takes longer than all the rest.
    const surplus = missing < 0 ? [...active].sort(byWorth).slice(0, -missing) : []
    for (const pod of surplus) deletePod(this.#tools, replicaSet, pod)
    return undefined
  }

  #writeStatus(replicaSet: KubeObject, refusal: ApiError | undefined): void {
    const spec = specOf(replicaSet)
    const now = this.#tools.clock.now()
    const counts = countPods(this.#pods.of(replicaSet), numberAt(spec, 'minReadySeconds'), now)
    const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
    const status = {
      ...withoutZeros({
        fullyLabeledReplicas: counts.active.filter((pod) => hasLabels(pod, labels)).length,
        readyReplicas: counts.ready,
        availableReplicas: counts.available,
        observedGeneration: replicaSet.metadata.generation,
        conditions: conditionsOf(replicaSet, refusal, now),
      }),
      replicas: counts.active.length,
      ...this.#moreStatus(counts),
    }
    putStatus(this.#tools.api, replicaSet, status)
    if (counts.nextAvailable !== undefined) this.#tools.loop.enqueueAfter(keyOf(replicaSet), counts.nextAvailable)
  }
}

/** While pods are refused, the first refusal is reported. */
function conditionsOf(
  replicaSet: KubeObject,
  refusal: ApiError | undefined,
  now: number,
): readonly JsonObject[] | undefined {
  const conditions = itemsAt(statusOf(replicaSet), 'conditions')
  const others = conditions.filter(({ type }) => type !== REPLICA_FAILURE)
  if (!refusal) return others.length > 0 ? others : undefined
  const { message } = refusal
  const time = { lastTransitionTime: timestamp(now) }
  const failure = { type: REPLICA_FAILURE, status: 'True', ...time, reason: 'FailedCreate', message }
  return [...others, conditionOf(replicaSet, REPLICA_FAILURE) ?? failure]
}

function hasLabels(pod: KubeObject, labels: JsonObject): boolean {
  const { labels: own = {} } = pod.metadata
  return sortedEntries(labels).every(([name, value]) => own[name] === value)
}

const PHASES = ['Pending', 'Unknown', 'Running']

/** What a pod is worth, the most important first. */
const WORTH: readonly ((pod: KubeObject) => number)[] = [
  (pod) => (textAt(specOf(pod), 'nodeName') === '' ? 0 : 1),
  (pod) => PHASES.indexOf(phaseOf(pod)),
  (pod) => (isReady(pod) ? 1 : 0),
  (pod) => -restartsOf(pod),
]

/** Which pods go first: not bound, not running, not ready, restarted, youngest. */
function byWorth(left: KubeObject, right: KubeObject): number {
  const differences = WORTH.map((worth) => worth(left) - worth(right))
  return differences.find((difference) => difference !== 0) ?? -byAge(left, right)
}
