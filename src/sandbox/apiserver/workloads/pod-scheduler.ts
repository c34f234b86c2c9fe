import { isJsonArray, type JsonObject } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { itemsAt, objectAt, sortedEntries } from '../kinds/common/fields.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf, timestamp } from './common/objects.ts'
import { isFinished } from './common/pod-state.ts'
import { requiredNodeName } from './pod/required-node.ts'
import { hasUntoleratedTaint } from './pod/taints.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const NAME = 'kube-scheduler'

/** Binds pods to the node, unless they ask for another one. */
export function podScheduler(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: NAME,
    kind: KINDS.pod,
    component: 'default-scheduler',
    delayOf: (pod) => (isWaiting(pod) ? stages.podScheduled : undefined),
    reconciler: (tools) => new PodScheduler(tools),
  })
}

class PodScheduler implements KindReconciler {
  readonly #tools: ControllerTools

  constructor(tools: ControllerTools) {
    this.#tools = tools
    tools.subscribe(KINDS.node, ({ type, object, old }) => {
      if (type === 'ADDED' || (type === 'MODIFIED' && old && nodeChanged(object, old))) tools.enqueueAll()
    })
  }

  reconcile(pod: KubeObject): void {
    const nodes = this.#tools.api.list(KINDS.node)
    const node = nodes.find((each) => refusal(pod, each) === undefined)
    if (node) this.#bind(pod, keyOf(node).name)
    else this.#giveUp(pod, nodes)
  }

  #bind(pod: KubeObject, nodeName: string): void {
    const { name, namespace } = pod.metadata
    const others = itemsAt(statusOf(pod), 'conditions').filter(({ type }) => type !== 'PodScheduled')
    const condition = this.#condition('True')
    const bound = { ...pod, spec: { ...specOf(pod), nodeName } }
    putStatus(this.#tools.api, bound, { ...statusOf(pod), conditions: [...others, condition] }, NAME)
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`
    this.#tools.events.record(pod, { reason: 'Scheduled', message })
  }

  #giveUp(pod: KubeObject, nodes: readonly KubeObject[]): void {
    const message = `0/${nodes.length} nodes are available: ${countedRefusals(pod, nodes)}. no new claims to deallocate, preemption: 0/${nodes.length} nodes are available: ${nodes.length} Preemption is not helpful for scheduling.`
    const old = itemsAt(statusOf(pod), 'conditions').find(({ type }) => type === 'PodScheduled')
    if (old?.message === message) return
    const condition = { ...this.#condition('False'), reason: 'Unschedulable', message }
    putStatus(this.#tools.api, pod, { ...statusOf(pod), conditions: [condition] }, NAME)
    this.#tools.events.record(pod, { type: 'Warning', reason: 'FailedScheduling', message })
  }

  #condition(status: 'True' | 'False'): JsonObject {
    const lastTransitionTime = timestamp(this.#tools.clock.now())
    return { type: 'PodScheduled', status, lastProbeTime: null, lastTransitionTime }
  }
}

/** `1 node(s) were unschedulable, 2 node(s) had untolerated taint(s)`. */
function countedRefusals(pod: KubeObject, nodes: readonly KubeObject[]): string {
  const counts = Map.groupBy(nodes, (node) => refusal(pod, node))
  return [...counts]
    .map(([reason, refused]) => `${refused.length} ${reason}`)
    .sort()
    .join(', ')
}

function isWaiting(pod: KubeObject): boolean {
  const { nodeName, schedulerName, schedulingGates } = specOf(pod)
  const isGated = isJsonArray(schedulingGates) && schedulingGates.length > 0
  const isOurs = schedulerName === 'default-scheduler' || schedulerName === undefined
  return isOurs && !nodeName && !isGated && !isDeleting(pod) && !isFinished(pod)
}

function nodeChanged(node: KubeObject, old: KubeObject): boolean {
  return node.metadata.labels !== old.metadata.labels || specOf(node) !== specOf(old)
}

/** Why a node does not take a pod, in the words of the scheduler; `undefined` when it does. */
function refusal(pod: KubeObject, node: KubeObject): string | undefined {
  const { labels = {}, name } = node.metadata
  const wanted = sortedEntries(objectAt(specOf(pod), 'nodeSelector'))
  const named = requiredNodeName(pod)
  if (specOf(node).unschedulable === true) return 'node(s) were unschedulable'
  if (hasUntoleratedTaint(pod, node)) return 'node(s) had untolerated taint(s)'
  const fits = wanted.every(([key, value]) => labels[key] === value) && (named === undefined || named === name)
  return fits ? undefined : "node(s) didn't match Pod's node affinity/selector"
}
