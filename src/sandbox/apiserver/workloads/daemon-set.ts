import type { JsonObject } from '../../../core/base/json.ts'
import type { ApiError } from '../../../core/kube/api-error.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../kinds/common/fields.ts'
import { TEMPLATE_GENERATION } from '../kinds/daemon-set.ts'
import type { ClaimedObjects } from './common/claimed-objects.ts'
import { ControllerRevisions } from './common/controller-revisions.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, withoutZeros } from './common/objects.ts'
import { podFrom, withLabels } from './common/pod-factory.ts'
import { countPods, isActive, isFinished } from './common/pod-state.ts'
import { createPods, deletePod } from './common/pod-writes.ts'
import { templateHash } from './common/template-hash.ts'
import { share } from './deployment/replica-counts.ts'
import { selectsNode } from './pod/node-affinity.ts'
import { requiredNodeName } from './pod/required-node.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const HASH = 'controller-revision-hash'

/** Keeps one pod of a template on every node that the template fits. */
export function daemonSetController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'daemonset-controller',
    kind: KINDS.daemonSet,
    reconciler: (tools) => new DaemonSetReconciler(tools),
  })
}

class DaemonSetReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #pods: ClaimedObjects
  readonly #revisions: ControllerRevisions

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#pods = tools.claimed(KINDS.pod)
    this.#revisions = new ControllerRevisions(tools, HASH, templateHash)
    tools.subscribe(KINDS.node, () => tools.enqueueAll())
  }

  reconcile(set: KubeObject): void {
    if (isDeleting(set)) return
    const { annotations } = set.metadata
    this.#revisions.ensure(set, annotations)
    const hash = templateHash(objectAt(specOf(set), 'template'))
    const nodes = this.#tools.api.list(KINDS.node)
    const fitting = nodes.filter((node) => fits(set, node)).map((node) => keyOf(node).name)
    const refusal = this.#placePods(set, fitting, hash)
    if (!refusal) this.#replaceOld(set, hash)
    this.#writeStatus(set, fitting, hash)
    if (refusal) throw refusal
  }

  #placePods(set: KubeObject, nodes: readonly string[], hash: string): ApiError | undefined {
    const pods = this.#pods.claim(set)
    const placed = new Set(pods.filter((pod) => !isFinished(pod)).map(nodeOf))
    const missing = nodes.filter((node) => !placed.has(node)).map((node) => daemonPod(set, node, hash))
    const refusal = createPods(this.#tools, set, missing)
    const isMisplaced = (node: string | undefined): boolean => node !== undefined && !nodes.includes(node)
    for (const pod of pods.filter((each) => isFinished(each) || isMisplaced(nodeOf(each)))) this.#remove(set, pod)
    return refusal
  }

  /** Pods of earlier templates go, as many at a time as may be missing. */
  #replaceOld(set: KubeObject, hash: string): void {
    const strategy = objectAt(specOf(set), 'updateStrategy')
    if (strategy.type !== 'RollingUpdate') return
    const pods = this.#pods.of(set)
    const counts = this.#count(set)
    const missing = pods.filter((pod) => isActive(pod)).length - counts.available
    const { maxUnavailable } = objectAt(strategy, 'rollingUpdate')
    // No pod is started beside an old one: a surge, too, replaces one after the other.
    const allowed = Math.max(1, share(maxUnavailable, counts.active.length, Math.ceil))
    const old = counts.active.filter((pod) => pod.metadata.labels?.[HASH] !== hash)
    for (const pod of old.slice(0, Math.max(0, allowed - missing))) this.#remove(set, pod)
  }

  #remove(set: KubeObject, pod: KubeObject): void {
    if (!isDeleting(pod)) deletePod(this.#tools, set, pod)
  }

  #count(set: KubeObject): ReturnType<typeof countPods> {
    return countPods(this.#pods.of(set), numberAt(specOf(set), 'minReadySeconds'), this.#tools.clock.now())
  }

  #writeStatus(set: KubeObject, nodes: readonly string[], hash: string): void {
    const counts = this.#count(set)
    const desired = nodes.length
    const status: JsonObject = {
      ...withoutZeros({
        observedGeneration: set.metadata.generation,
        updatedNumberScheduled: counts.active.filter((pod) => pod.metadata.labels?.[HASH] === hash).length,
        numberAvailable: counts.available,
        numberUnavailable: Math.max(0, desired - counts.available),
      }),
      currentNumberScheduled: counts.active.filter((pod) => nodes.some((node) => node === nodeOf(pod))).length,
      desiredNumberScheduled: desired,
      numberMisscheduled: 0,
      numberReady: counts.ready,
    }
    putStatus(this.#tools.api, set, status)
    if (counts.nextAvailable !== undefined) this.#tools.loop.enqueueAfter(keyOf(set), counts.nextAvailable)
  }
}

function fits(set: KubeObject, node: KubeObject): boolean {
  return selectsNode(objectAt(objectAt(specOf(set), 'template'), 'spec'), node)
}

/** What pods of a DaemonSet put up with: they stay where others would go. */
const TOLERATED: readonly (readonly [key: string, effect: string])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
]

function daemonPod(set: KubeObject, node: string, hash: string): KubeObject {
  const template = withLabels(objectAt(specOf(set), 'template'), {
    [HASH]: hash,
    'pod-template-generation': set.metadata.annotations?.[TEMPLATE_GENERATION],
  })
  const pod = podFrom(set, template)
  const spec = specOf(pod)
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } }
  const nodeAffinity = { ...objectAt(objectAt(spec, 'affinity'), 'nodeAffinity'), ...required }
  const added = TOLERATED.map(([key, effect]) => ({ key, operator: 'Exists', effect }))
  const network = { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' }
  const tolerations = [...itemsAt(spec, 'tolerations'), ...added, ...(spec.hostNetwork === true ? [network] : [])]
  return { ...pod, spec: { ...spec, affinity: { ...objectAt(spec, 'affinity'), nodeAffinity }, tolerations } }
}

/** The node a pod is on, or was made for. */
function nodeOf(pod: KubeObject): string | undefined {
  return textAt(specOf(pod), 'nodeName') || requiredNodeName(pod)
}
