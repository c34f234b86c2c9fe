import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { textAt } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'
import { EventRecorder } from './common/event-recorder.ts'
import { KINDS } from './common/known-kinds.ts'
import { putStatus, specOf, statusOf } from './common/objects.ts'
import { ReconcileLoop } from './common/reconcile-loop.ts'
import { AddressPool } from './pod/address-pool.ts'
import { nextStage, type Stage } from './pod/pod-stages.ts'
import { DEFAULT_STAGES, type Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const NAME = 'kubelet'

/** Lets bound pods start, become ready, end and go, without running anything. */
export function podKubelet(stages: Stages = DEFAULT_STAGES): WorkloadController {
  return {
    name: NAME,
    start: (api, clock, logger) => new PodKubelet(api, clock, { stages, logger }).stop,
  }
}

/** A pod's next stage and when it is due. */
interface Plan {
  readonly stage: string
  readonly due: number
}

class PodKubelet {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #stages: Stages
  readonly #loop: ReconcileLoop
  readonly #events: EventRecorder
  readonly #addresses: AddressPool
  readonly #plans = new Map<string, Plan>()

  constructor(api: ObjectApi, clock: Clock, { stages, logger }: { stages: Stages; logger: Logger | undefined }) {
    this.#api = api
    this.#clock = clock
    this.#stages = stages
    this.#events = new EventRecorder(api, clock, { component: NAME, isOn: stages.events })
    const pods = api.list(KINDS.pod)
    this.#addresses = new AddressPool(pods.map((pod) => textAt(statusOf(pod), 'podIP')))
    this.#loop = new ReconcileLoop(clock, (key) => this.#reconcile(key), logger)
    const unsubscribe = api.subscribe(KINDS.pod, ({ type, object }) => {
      if (type === 'DELETED') this.#forget(object)
      else if (isOurs(object)) this.#loop.enqueue(keyOf(object))
    })
    for (const pod of pods.filter(isOurs)) this.#loop.enqueue(keyOf(pod))
    this.stop = () => {
      unsubscribe()
      this.#loop.stop()
    }
  }

  #reconcile(key: ObjectKey): void {
    const pod = this.#api.get(KINDS.pod, key)
    if (!pod || !isOurs(pod)) return
    const stage = nextStage(pod, this.#stages)
    const uid = pod.metadata.uid ?? ''
    if (!stage) {
      this.#plans.delete(uid)
      return
    }
    const wait = this.#dueIn(uid, stage)
    if (wait > 0) this.#loop.enqueueAfter(key, wait)
    else this.#enter(pod, stage)
  }

  /** A stage falls due its delay after the pod came to wait for it, whatever else happens meanwhile. */
  #dueIn(uid: string, { name, delay }: Stage): number {
    const now = this.#clock.monotonic()
    const known = this.#plans.get(uid)
    if (known?.stage === name) return known.due - now
    this.#plans.set(uid, { stage: name, due: now + delay })
    return delay
  }

  #enter(pod: KubeObject, { change, event }: Stage): void {
    this.#plans.delete(pod.metadata.uid ?? '')
    if (change === 'remove') {
      this.#api.delete(KINDS.pod, keyOf(pod), { uid: pod.metadata.uid, gracePeriodSeconds: 0 })
      return
    }
    const podIP = textAt(statusOf(pod), 'podIP') || this.#addresses.take()
    putStatus(this.#api, pod, change(pod, { now: this.#clock.now(), podIP }), NAME)
    if (event) this.#events.record(pod, event(pod))
  }

  #forget(pod: KubeObject): void {
    this.#plans.delete(pod.metadata.uid ?? '')
    this.#addresses.release(textAt(statusOf(pod), 'podIP'))
  }
}

function isOurs(pod: KubeObject): boolean {
  return textAt(specOf(pod), 'nodeName') !== ''
}
