import type { Clock } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Logger } from '../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { itemsAt, numberAt, objectAt, sortedEntries } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'
import { ClaimedObjects } from './common/claimed-objects.ts'
import { ensureRevision } from './common/controller-revisions.ts'
import { EventRecorder } from './common/event-recorder.ts'
import { KINDS } from './common/known-kinds.ts'
import { CONTROLLER_MANAGER, isDeleting, putStatus, specOf, withoutZeros } from './common/objects.ts'
import { podFrom, withLabels } from './common/pod-factory.ts'
import { countPods, isActive, isFinished } from './common/pod-state.ts'
import { ReconcileLoop } from './common/reconcile-loop.ts'
import { DEFAULT_STAGES, type Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const HASH = 'controller-revision-hash'
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

/** Keeps one pod of a template on every node that the template fits. */
export function daemonSetController(stages: Stages = DEFAULT_STAGES): WorkloadController {
  return {
    name: 'daemonset-controller',
    start: (api, clock, logger) => new DaemonSetController(api, clock, { stages, logger }).stop,
  }
}

class DaemonSetController {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #loop: ReconcileLoop
  readonly #pods: ClaimedObjects
  readonly #revisions: ClaimedObjects
  readonly #events: EventRecorder

  constructor(api: ObjectApi, clock: Clock, { stages, logger }: { stages: Stages; logger: Logger | undefined }) {
    this.#api = api
    this.#clock = clock
    this.#events = new EventRecorder(api, clock, { component: 'daemonset-controller', isOn: stages.events })
    this.#loop = new ReconcileLoop(clock, (key) => this.#reconcile(key), logger)
    const enqueue = (owner: ObjectKey): void => this.#loop.enqueue(owner)
    const enqueueAll = (): void => {
      for (const object of api.list(KINDS.daemonSet)) enqueue(keyOf(object))
    }
    this.#pods = new ClaimedObjects(api, { owned: KINDS.pod, owner: KINDS.daemonSet }, enqueue)
    this.#revisions = new ClaimedObjects(api, { owned: KINDS.controllerRevision, owner: KINDS.daemonSet }, enqueue)
    const unsubscribe = [
      api.subscribe(KINDS.daemonSet, ({ object }) => enqueue(keyOf(object))),
      api.subscribe(KINDS.node, enqueueAll),
    ]
    enqueueAll()
    this.stop = () => {
      for (const each of unsubscribe) each()
      this.#pods.stop()
      this.#revisions.stop()
      this.#loop.stop()
    }
  }

  #reconcile(key: ObjectKey): void {
    const set = this.#api.get(KINDS.daemonSet, key)
    if (!set || isDeleting(set)) return
    const annotations = { [TEMPLATE_GENERATION]: set.metadata.annotations?.[TEMPLATE_GENERATION] ?? '1' }
    const revision = ensureRevision(this.#api, set, this.#revisions.claim(set), { hashLabel: HASH, annotations })
    const hash = revision.metadata.labels?.[HASH] ?? ''
    const nodes = this.#api.list(KINDS.node)
    const fitting = nodes.filter((node) => fits(set, node)).map(({ metadata }) => metadata.name ?? '')
    this.#placePods(set, fitting, hash)
    this.#replaceOld(set, hash)
    this.#writeStatus(this.#api.get(KINDS.daemonSet, key) ?? set, fitting, hash)
  }

  #placePods(set: KubeObject, nodes: readonly string[], hash: string): void {
    const pods = this.#pods.claim(set)
    const placed = new Set(pods.filter((pod) => !isFinished(pod)).map(nodeOf))
    for (const node of nodes.filter((each) => !placed.has(each))) {
      const pod = this.#api.create(daemonPod(set, node, hash), CONTROLLER_MANAGER)
      this.#events.record(set, { reason: 'SuccessfulCreate', message: `Created pod: ${pod.metadata.name}` })
    }
    for (const pod of pods.filter((each) => isFinished(each) || !nodes.includes(nodeOf(each)))) this.#remove(set, pod)
  }

  /** Pods of earlier templates go, as many at a time as may be missing. */
  #replaceOld(set: KubeObject, hash: string): void {
    const strategy = objectAt(specOf(set), 'updateStrategy')
    if (strategy.type !== 'RollingUpdate') return
    const pods = this.#pods.of(set)
    const counts = this.#count(set)
    const missing = pods.filter((pod) => isActive(pod)).length - counts.available
    const { maxUnavailable } = objectAt(strategy, 'rollingUpdate')
    const allowed = typeof maxUnavailable === 'number' ? maxUnavailable : 1
    const old = counts.active.filter((pod) => pod.metadata.labels?.[HASH] !== hash)
    for (const pod of old.slice(0, Math.max(0, allowed - missing))) this.#remove(set, pod)
  }

  #remove(set: KubeObject, pod: KubeObject): void {
    if (isDeleting(pod)) return
    this.#api.delete(KINDS.pod, keyOf(pod), { uid: pod.metadata.uid })
    this.#events.record(set, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` })
  }

  #count(set: KubeObject): ReturnType<typeof countPods> {
    return countPods(this.#pods.of(set), numberAt(specOf(set), 'minReadySeconds'), this.#clock.now())
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
      currentNumberScheduled: counts.active.filter((pod) => nodes.includes(nodeOf(pod))).length,
      desiredNumberScheduled: desired,
      numberMisscheduled: 0,
      numberReady: counts.ready,
    }
    putStatus(this.#api, set, status)
    if (counts.nextAvailable !== undefined) this.#loop.enqueueAfter(keyOf(set), counts.nextAvailable)
  }
}

function fits(set: KubeObject, { metadata }: KubeObject): boolean {
  const wanted = sortedEntries(objectAt(objectAt(objectAt(specOf(set), 'template'), 'spec'), 'nodeSelector'))
  return wanted.every(([name, value]) => metadata.labels?.[name] === value)
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
  const generation = set.metadata.annotations?.[TEMPLATE_GENERATION] ?? '1'
  const template = withLabels(objectAt(specOf(set), 'template'), {
    [HASH]: hash,
    'pod-template-generation': generation,
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

/** The node a pod was made for, bound or not. */
function nodeOf(pod: KubeObject): string {
  const affinity = objectAt(objectAt(specOf(pod), 'affinity'), 'nodeAffinity')
  const required = objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution')
  const [term] = itemsAt(required, 'nodeSelectorTerms')
  const { values } = itemsAt(term, 'matchFields')[0] ?? {}
  return Array.isArray(values) ? String(values[0]) : ''
}
