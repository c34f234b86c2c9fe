import type { Clock } from '../../../../core/base/clock.ts'
import type { Logger } from '../../../../core/base/logger.ts'
import type { Gvk } from '../../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../../../core/kube/object.ts'
import type { ObjectApi, ObjectEvent } from '../../object-api.ts'
import { ClaimedObjects } from './claimed-objects.ts'
import { EventRecorder } from './event-recorder.ts'
import { OwnedObjects } from './owned-objects.ts'
import { ReconcileLoop, type RetryOptions } from './reconcile-loop.ts'

export interface ToolsOptions {
  readonly api: ObjectApi
  readonly clock: Clock
  readonly logger: Logger | undefined
  readonly kind: Gvk
  /** In whose name Events are written. */
  readonly component: string
  readonly writesEvents: boolean
  readonly delayOf: (object: KubeObject) => number | undefined
  readonly retry: RetryOptions | undefined
  readonly reconcile: (key: ObjectKey) => void
}

/** What a controller of one kind works with. All of it ends with the controller. */
export class ControllerTools {
  readonly api: ObjectApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly loop: ReconcileLoop
  readonly #kind: Gvk
  readonly #delayOf: ToolsOptions['delayOf']
  readonly #stops: (() => void)[] = []

  constructor({ api, clock, logger, kind, component, writesEvents, delayOf, retry, reconcile }: ToolsOptions) {
    this.api = api
    this.clock = clock
    this.events = new EventRecorder(api, clock, { component, isOn: writesEvents })
    this.loop = new ReconcileLoop(clock, reconcile, { logger, retry })
    this.#kind = kind
    this.#delayOf = delayOf
  }

  /** Objects that those of the controller's kind own. A change of one is a reason to look at its owner. */
  owned(owned: Gvk): OwnedObjects {
    const objects = new OwnedObjects(this.api, { owned, owner: this.#kind }, (owner) => this.loop.enqueue(owner))
    this.onStop(objects.stop)
    return objects
  }

  /** The same, with those that they may take as their own. */
  claimed(owned: Gvk): ClaimedObjects {
    const objects = new ClaimedObjects(this.api, { owned, owner: this.#kind }, (owner) => this.loop.enqueue(owner))
    this.onStop(objects.stop)
    return objects
  }

  subscribe(gvk: Gvk, listener: (event: ObjectEvent) => void): void {
    this.onStop(this.api.subscribe(gvk, listener))
  }

  /** Takes up what exists of the controller's kind and follows every change. */
  start(): void {
    this.subscribe(this.#kind, ({ type, object }) => {
      if (type !== 'DELETED') this.#enqueue(object)
    })
    this.enqueueAll()
  }

  enqueueAll(): void {
    for (const object of this.api.list(this.#kind)) this.#enqueue(object)
  }

  onStop(stop: () => void): void {
    this.#stops.push(stop)
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.loop.stop()
  }

  #enqueue(object: KubeObject): void {
    const delay = this.#delayOf(object)
    if (delay === 0) this.loop.enqueue(keyOf(object))
    else if (delay !== undefined) this.loop.enqueueAfter(keyOf(object), delay)
  }
}
