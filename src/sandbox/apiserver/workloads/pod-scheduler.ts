import { isJsonArray, type JsonObject } from '../../../core/base/json.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import { itemsAt } from '../kinds/common/fields.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf, timestamp } from './common/objects.ts'
import { isFinished } from './common/pod-state.ts'
import { claimsOf } from './pod/claims.ts'
import { hostPortsOf, portsCollide } from './pod/host-ports.ts'
import { selectsNode } from './pod/node-affinity.ts'
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
  /** Pods that wait for a claim, or for a port of the node. */
  readonly #waiting = new Map<string, ObjectKey>()

  constructor(tools: ControllerTools) {
    this.#tools = tools
    tools.subscribe(KINDS.node, ({ type, object, old }) => {
      if (type === 'ADDED' || (type === 'MODIFIED' && old && nodeChanged(object, old))) tools.enqueueAll()
    })
    tools.subscribe(KINDS.claim, () => this.#lookAgain())
    tools.subscribe(KINDS.pod, ({ type, object }) => {
      if (type === 'DELETED' || isFinished(object)) this.#lookAgain()
    })
  }

  reconcile(pod: KubeObject): void {
    this.#waiting.delete(formatKey(keyOf(pod)))
    const nodes = this.#tools.api.list(KINDS.node)
    const obstacle = this.#obstacleOf(pod)
    if (obstacle === undefined) this.#place(pod, nodes)
    else this.#wait(pod, `${noneOf(nodes)}: ${obstacle}. not found`)
  }

  #place(pod: KubeObject, nodes: readonly KubeObject[]): void {
    const refusals = new Map(nodes.map((node) => [node, refusal(pod, node) ?? this.#portRefusal(pod, node)]))
    const node = nodes.find((each) => refusals.get(each) === undefined)
    if (node) this.#bind(pod, keyOf(node).name)
    else this.#wait(pod, printRefusals([...refusals.values()].filter((each) => each !== undefined)))
  }

  /** What keeps a pod from every node. */
  #obstacleOf(pod: KubeObject): string | undefined {
    for (const key of claimsOf(pod)) {
      const claim = this.#tools.api.get(KINDS.claim, key)
      if (!claim) return `persistentvolumeclaim ${JSON.stringify(key.name)} not found`
      if (isDeleting(claim)) return `persistentvolumeclaim ${JSON.stringify(key.name)} is being deleted`
      if (statusOf(claim).phase !== 'Bound') return 'pod has unbound immediate PersistentVolumeClaims'
    }
    return undefined
  }

  #portRefusal(pod: KubeObject, { metadata }: KubeObject): string | undefined {
    const ports = hostPortsOf(pod)
    if (ports.length === 0) return undefined
    const others = this.#tools.api.list(KINDS.pod).filter((each) => specOf(each).nodeName === metadata.name)
    const isTaken = others.some((other) => !isFinished(other) && portsCollide(ports, hostPortsOf(other)))
    return isTaken ? NO_PORTS : undefined
  }

  #bind(pod: KubeObject, nodeName: string): void {
    const { name, namespace } = pod.metadata
    const others = itemsAt(statusOf(pod), 'conditions').filter(({ type }) => type !== 'PodScheduled')
    const status = { ...statusOf(pod), conditions: [...others, this.#condition('True')] }
    this.#tools.api.update({ ...pod, spec: { ...specOf(pod), nodeName }, status }, NAME, 'binding')
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`
    this.#tools.events.record(pod, { reason: 'Scheduled', message, action: 'Binding' })
  }

  #wait(pod: KubeObject, message: string): void {
    this.#waiting.set(formatKey(keyOf(pod)), keyOf(pod))
    const old = itemsAt(statusOf(pod), 'conditions').find(({ type }) => type === 'PodScheduled')
    if (old?.message === message) return
    const { generation: observedGeneration } = pod.metadata
    const condition = { ...this.#condition('False'), observedGeneration, reason: 'Unschedulable', message }
    putStatus(this.#tools.api, pod, { ...statusOf(pod), conditions: [condition] }, NAME)
    this.#tools.events.record(pod, { type: 'Warning', reason: 'FailedScheduling', message, action: 'Scheduling' })
  }

  #lookAgain(): void {
    for (const key of this.#waiting.values()) this.#tools.loop.enqueue(key)
  }

  #condition(status: 'True' | 'False'): JsonObject {
    const lastTransitionTime = timestamp(this.#tools.clock.now())
    return { type: 'PodScheduled', status, lastProbeTime: null, lastTransitionTime }
  }
}

function noneOf(nodes: readonly unknown[]): string {
  return `0/${nodes.length} nodes are available`
}

const NO_PORTS = "node(s) didn't have free ports for the requested pod ports"

/** Why no node takes the pod; only where ports are taken would it help to send another pod away. */
function printRefusals(refusals: readonly string[]): string {
  const victims = refusals.map((reason) =>
    reason === NO_PORTS ? 'No preemption victims found for incoming pod' : 'Preemption is not helpful for scheduling',
  )
  const none = noneOf(refusals)
  return `${none}: ${counted(refusals)}. no new claims to deallocate, preemption: ${none}: ${counted(victims)}.`
}

/** `1 node(s) were unschedulable, 2 node(s) had untolerated taint(s)`. */
function counted(reasons: readonly string[]): string {
  const counts = Map.groupBy(reasons, (reason) => reason)
  return [...counts]
    .map(([reason, same]) => `${same.length} ${reason}`)
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
  if (specOf(node).unschedulable === true) return 'node(s) were unschedulable'
  if (hasUntoleratedTaint(pod, node)) return 'node(s) had untolerated taint(s)'
  return selectsNode(specOf(pod), node) ? undefined : "node(s) didn't match Pod's node affinity/selector"
}
