import type { Gvk } from '../../../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../../../core/kube/object.ts'
import type { Stages } from '../stages.ts'
import type { WorkloadController } from '../workload-controller.ts'
import { ControllerTools } from './controller-tools.ts'
import type { RetryOptions } from './reconcile-loop.ts'

/** Brings the objects of one kind to their declared state. */
export interface KindReconciler {
  reconcile(object: KubeObject): void
  /** Cleans up after an object that is gone, if its key is enqueued. */
  reconcileGone?(key: ObjectKey): void
}

export interface KindControllerOptions {
  readonly name: string
  readonly kind: Gvk
  /** In whose name Events are written. Defaults to `name`. */
  readonly component?: string
  /** Milliseconds from a change of an object until it is looked at; `undefined`: not at all. Defaults to 0. */
  readonly delayOf?: (object: KubeObject) => number | undefined
  /** How long one that fails waits, in milliseconds. Defaults to what most real controllers do. */
  readonly retry?: RetryOptions
  readonly reconciler: (tools: ControllerTools) => KindReconciler
}

/** A controller that looks at every object of one kind, at the start and after each change. */
export function kindController(stages: Stages, options: KindControllerOptions): WorkloadController {
  const { name, kind, component = name, delayOf = () => 0, retry } = options
  return {
    name,
    start(api, clock, logger) {
      const reconcile = (key: ObjectKey): void => {
        const object = api.get(kind, key)
        if (!object) reconciler.reconcileGone?.(key)
        else if (delayOf(object) !== undefined) reconciler.reconcile(object)
      }
      const writesEvents = stages.events
      const tools = new ControllerTools({
        api,
        clock,
        logger,
        kind,
        component,
        writesEvents,
        delayOf,
        retry,
        reconcile,
      })
      const reconciler = options.reconciler(tools)
      tools.start()
      return () => tools.stop()
    },
  }
}
