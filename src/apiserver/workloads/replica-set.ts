import type { Clock } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Logger } from '../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { numberAt, objectAt, sortedEntries, textAt } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'
import { ClaimedObjects } from './common/claimed-objects.ts'
import { EventRecorder } from './common/event-recorder.ts'
import { KINDS } from './common/known-kinds.ts'
import { byAge, CONTROLLER_MANAGER, isDeleting, putStatus, specOf, statusOf, withoutZeros } from './common/objects.ts'
import { podFrom } from './common/pod-factory.ts'
import { countPods, isActive, isReady, phaseOf, restartsOf } from './common/pod-state.ts'
import { ReconcileLoop } from './common/reconcile-loop.ts'
import { MAX_PODS } from './nodes.ts'
import { DEFAULT_STAGES, type Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Keeps as many pods of a template as a ReplicaSet asks for. */
export function replicaSetController(stages: Stages = DEFAULT_STAGES): WorkloadController {
  return {
    name: 'replicaset-controller',
    start: (api, clock, logger) => new ReplicaSetController(api, clock, { stages, logger }).stop,
  }
}

/** So many pods are made at once; word of them brings the next. */
const BURST = 250

class ReplicaSetController {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #loop: ReconcileLoop
  readonly #pods: ClaimedObjects
  readonly #events: EventRecorder

  constructor(api: ObjectApi, clock: Clock, options: { stages: Stages; logger: Logger | undefined }) {
    this.#api = api
    this.#clock = clock
    this.#events = new EventRecorder(api, clock, { component: 'replicaset-controller', isOn: options.stages.events })
    this.#loop = new ReconcileLoop(clock, (key) => this.#reconcile(key), options.logger)
    this.#pods = new ClaimedObjects(api, { owned: KINDS.pod, owner: KINDS.replicaSet }, (owner) =>
      this.#loop.enqueue(owner),
    )
    const unsubscribe = api.subscribe(KINDS.replicaSet, ({ object }) => this.#loop.enqueue(keyOf(object)))
    for (const object of api.list(KINDS.replicaSet)) this.#loop.enqueue(keyOf(object))
    this.stop = () => {
      unsubscribe()
      this.#pods.stop()
      this.#loop.stop()
    }
  }

  #reconcile(key: ObjectKey): void {
    const replicaSet = this.#api.get(KINDS.replicaSet, key)
    if (!replicaSet) return
    if (!isDeleting(replicaSet)) this.#scale(replicaSet)
    this.#writeStatus(this.#api.get(KINDS.replicaSet, key) ?? replicaSet)
  }

  #scale(replicaSet: KubeObject): void {
    const active = this.#pods.claim(replicaSet).filter(isActive)
    const missing = Math.min(numberAt(specOf(replicaSet), 'replicas'), MAX_PODS) - active.length
    const template = objectAt(specOf(replicaSet), 'template')
    for (let count = 0; count < Math.min(missing, BURST); count++) {
      const pod = this.#api.create(podFrom(replicaSet, template), CONTROLLER_MANAGER)
      this.#events.record(replicaSet, { reason: 'SuccessfulCreate', message: `Created pod: ${pod.metadata.name}` })
    }
    for (const pod of [...active].sort(byWorth).slice(0, Math.max(0, -missing))) {
      this.#api.delete(KINDS.pod, keyOf(pod), { uid: pod.metadata.uid })
      this.#events.record(replicaSet, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` })
    }
  }

  #writeStatus(replicaSet: KubeObject): void {
    const spec = specOf(replicaSet)
    const counts = countPods(this.#pods.of(replicaSet), numberAt(spec, 'minReadySeconds'), this.#clock.now())
    const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
    const status = {
      ...withoutZeros({
        fullyLabeledReplicas: counts.active.filter((pod) => hasLabels(pod, labels)).length,
        readyReplicas: counts.ready,
        availableReplicas: counts.available,
        observedGeneration: replicaSet.metadata.generation,
        conditions: statusOf(replicaSet).conditions,
      }),
      replicas: counts.active.length,
      terminatingReplicas: counts.terminating,
    }
    putStatus(this.#api, replicaSet, status)
    if (counts.nextAvailable !== undefined) this.#loop.enqueueAfter(keyOf(replicaSet), counts.nextAvailable)
  }
}

function hasLabels(pod: KubeObject, labels: JsonObject): boolean {
  const { labels: own = {} } = pod.metadata
  return sortedEntries(labels).every(([name, value]) => own[name] === value)
}

const PHASES = ['Pending', 'Unknown', 'Running']

/** Which pods go first: not bound, not running, not ready, restarted, youngest. */
function byWorth(left: KubeObject, right: KubeObject): number {
  const worth = (pod: KubeObject): readonly number[] => [
    textAt(specOf(pod), 'nodeName') === '' ? 0 : 1,
    PHASES.indexOf(phaseOf(pod)),
    isReady(pod) ? 1 : 0,
    -restartsOf(pod),
  ]
  const [a, b] = [worth(left), worth(right)]
  const differs = a.findIndex((value, index) => value !== b[index])
  return differs < 0 ? -byAge(left, right) : (a[differs] ?? 0) - (b[differs] ?? 0)
}
