import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { textAt } from '../kinds/common/fields.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { putStatus, specOf, statusOf, uidOf } from './common/objects.ts'
import { AddressPool } from './pod/address-pool.ts'
import { nextStage, type Stage } from './pod/pod-stages.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const NAME = 'kubelet'

/** Lets bound pods start, become ready, end and go, without running anything. */
export function podKubelet(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: NAME,
    kind: KINDS.pod,
    delayOf: (pod) => (isOurs(pod) ? 0 : undefined),
    reconciler: (tools) => new PodKubelet(tools, stages),
  })
}

/** A pod's next stage and when it is due. */
interface Plan {
  readonly stage: string
  readonly due: number
}

class PodKubelet implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #stages: Stages
  readonly #addresses: AddressPool
  readonly #plans = new Map<string, Plan>()

  constructor(tools: ControllerTools, stages: Stages) {
    this.#tools = tools
    this.#stages = stages
    this.#addresses = new AddressPool(tools.api.list(KINDS.pod).map((pod) => textAt(statusOf(pod), 'podIP')))
    tools.subscribe(KINDS.pod, ({ type, object }) => {
      if (type === 'DELETED') this.#forget(object)
    })
  }

  reconcile(pod: KubeObject): void {
    const stage = nextStage(pod, this.#stages)
    if (!stage) {
      this.#plans.delete(uidOf(pod))
      return
    }
    const wait = this.#dueIn(uidOf(pod), stage)
    if (wait > 0) this.#tools.loop.enqueueAfter(keyOf(pod), wait)
    else this.#enter(pod, stage)
  }

  /** A stage is due when its delay has passed since the pod began to wait for it. Other events do not restart the delay. */
  #dueIn(uid: string, { name, delay }: Stage): number {
    const now = this.#tools.clock.monotonic()
    const known = this.#plans.get(uid)
    if (known?.stage === name) return known.due - now
    this.#plans.set(uid, { stage: name, due: now + delay })
    return delay
  }

  #enter(pod: KubeObject, { change, event }: Stage): void {
    this.#plans.delete(uidOf(pod))
    if (change === 'remove') {
      this.#tools.api.delete(KINDS.pod, keyOf(pod), { uid: uidOf(pod), gracePeriodSeconds: 0 })
      return
    }
    const podIP = textAt(statusOf(pod), 'podIP') || this.#addresses.take()
    putStatus(this.#tools.api, pod, change(pod, { now: this.#tools.clock.now(), podIP }), NAME)
    if (event) this.#tools.events.record(pod, event(pod))
  }

  #forget(pod: KubeObject): void {
    this.#plans.delete(uidOf(pod))
    this.#addresses.release(textAt(statusOf(pod), 'podIP'))
  }
}

function isOurs(pod: KubeObject): boolean {
  return textAt(specOf(pod), 'nodeName') !== ''
}
