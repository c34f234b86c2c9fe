import type { Clock } from '../../../core/base/clock.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import type { Logger } from '../../../core/base/logger.ts'
import type { Slots } from '../../../core/base/slots.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Capabilities, ChartRenderer } from '../../../core/kube/helm-chart.ts'
import type { LabelSelector } from '../../../core/kube/label-selector.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import type { Readiness } from '../../../core/kube/readiness.ts'
import type { FieldPath } from '../field-path.ts'
import type { GeneratedKey } from '../generated-key.ts'
import type { TaskModifiers } from '../task-modifiers.ts'
import type { EventLoopYield } from './event-loop-yield.ts'
import type { RunObserver } from './run-observer.ts'
import type { RunSpans } from './run-spans.ts'
import type { Scope } from './scope.ts'
import type { TaskTracer } from './task-tracer.ts'

/** What a running task may use: the world as ports, made anew for each run of a role. */
export interface RunContext {
  /** Variables that expressions see, and the input `$`. Expressions see nothing else. */
  readonly scope: Scope
  /** How messages name the task: `"Wait for the database"`. */
  readonly task: string
  readonly modifiers: TaskModifiers
  readonly objects: ObjectPort
  readonly status: StatusPort
  readonly events: EventPort
  /** Absent where charts cannot be rendered. */
  readonly charts?: ChartPort | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Those of the run: a task that holds no others takes one while it runs. */
  readonly slots: Slots
  /** For work that is long without waiting for anything. */
  readonly eventLoop: EventLoopYield
  readonly waits: WaitPort
  readonly observer?: RunObserver | undefined
  readonly spans?: Pick<RunSpans, 'task'> | undefined
  /** Stands for the task and the items of loops that it runs for, and for no other of the run. */
  readonly place: string
}

/** How long tasks have waited, over the runs of one resource. */
export interface WaitPort {
  /** Milliseconds that are left to a task at a place that waits. None: it has waited for as long as it may. */
  left(place: string, timeout: number): number
  /** The task at the place does not wait any more. */
  over(place: string): void
}

/** A task, or an item of its loop, among all of a run. */
export interface TaskPlace {
  /** As in `RunContext`. */
  readonly place: string
  readonly tracer?: TaskTracer | undefined
}

/** Where an object is to be found. Without a namespace: the resource's own, or none for a cluster-scoped kind. */
export interface ObjectTarget {
  readonly gvk: Gvk
  readonly name: string
  readonly namespace?: string | undefined
}

export interface ListQuery {
  readonly gvk: Gvk
  /** Defaults to the resource's own; `*` is every namespace that may be read. */
  readonly namespace?: string | undefined
  readonly selector?: LabelSelector | undefined
  /** The part of `selector` that is literal in the role, and so the same in every run: it narrows the watch. */
  readonly literalSelector?: LabelSelector | undefined
}

/**
 * Objects of the cluster, as one run sees and changes them.
 *
 * Everything read becomes an input of the run: when it changes, the role runs again. Reads see the run's own writes.
 * Implemented by `reconcile`, which knows ownership, the ledger and which namespaces are allowed.
 *
 * Methods reject with `TaskFailure` (ownership, namespace, conflict) or `ApiError` (the server refused).
 */
export interface ObjectPort {
  get(target: ObjectTarget): Promise<KubeObject | undefined>
  /** Sorted by namespace, then name. */
  list(query: ListQuery): Promise<readonly KubeObject[]>
  /**
   * Makes the object so and owned by the resource; sends nothing when nothing would change. `undefined`: the resource is being
   * deleted, and so is the namespace, which takes no objects any more.
   */
  ensure(desired: KubeObject, options: EnsureOptions): Promise<WriteResult | undefined>
  /** Sets fields of a foreign object; `undefined` when there is no such object (none is created). */
  patch(desired: KubeObject, options: PatchOptions): Promise<WriteResult | undefined>
  /** Where the target is, with the namespace that it has by default. For messages. */
  locate(target: ObjectTarget): Promise<ObjectKey>
  /** Counts an object towards the `Ready` condition. */
  reportReadiness(object: KubeObject, readiness: Readiness): void
  /** The port for what one task does. The trace assigns it to the task, and reports sort it by places. Defaults to the port itself. */
  within?(task: TaskPlace): ObjectPort
  /** Whether `ensure` could not make an object because of its namespace: what is waited for may never come. */
  readonly isRefused?: boolean
}

export interface EnsureOptions extends EnsurePolicy {
  /** How messages name the task: an object belongs to one task of a run. */
  readonly task: string
  readonly retain: boolean
  /** Makes the manifest of the object as the server has it, in place of the given one: for what is made once. */
  readonly complete?: ((live: KubeObject | undefined) => Promise<KubeObject>) | undefined
  /** Whether the task has made the object before in this run. Defaults to false. */
  readonly again?: boolean | undefined
  /** Keys of a Secret whose values are random. Defaults to none. */
  readonly generate?: readonly GeneratedKey[] | undefined
}

/** How an object that is there already is treated. */
export interface EnsurePolicy {
  readonly adopt: 'never' | 'ifUnowned'
  /** Managers whose fields are taken over with the object, sorted. Defaults to none. */
  readonly adoptFrom?: readonly string[] | undefined
  /** Whether what others have changed is put back, or the object written only when something else is wanted. Defaults to `enforce`. */
  readonly drift?: 'enforce' | 'once' | undefined
  /** What happens when the server refuses to change a field: `recreate` deletes the object and makes it anew. Defaults to `fail`. */
  readonly onImmutable?: 'fail' | 'recreate' | undefined
  /** Fields that are left to other managers while they have them. Defaults to none. */
  readonly handOver?: readonly FieldPath[] | undefined
}

export interface PatchOptions {
  readonly task: string
  /** Take fields from other managers. Defaults to false. */
  readonly force?: boolean | undefined
}

export interface WriteResult {
  /** The live object, status included. */
  readonly object: KubeObject
  readonly changed: boolean
  /** Whether the object is being deleted, and to be made anew. Defaults to false. */
  readonly isGoing?: boolean | undefined
}

/** What charts need besides objects. Implemented by `reconcile`. */
export interface ChartPort extends ChartRenderer {
  /** What the server serves; the role runs again when that changes. */
  served(): Promise<Capabilities>
  /** An object that the resource owns. */
  child(target: ObjectTarget): Promise<KubeObject | undefined>
  /** The object stays, and is left as it is. */
  keep(target: ObjectTarget, task: Pick<RunContext, 'task' | 'place'>): Promise<void>
  /** Deletes an object that the resource owns. */
  remove(object: KubeObject): Promise<void>
  /** Whether the run is the last one of a resource that goes. */
  readonly isFinal: boolean
}

/** Reports to people what happened to the resource, through the events of the cluster. */
export interface EventPort {
  /**
   * Returns at once; the event is recorded when the run ends. The same content is recorded once; whether the cluster takes it is of
   * no concern to the run.
   */
  record(event: { readonly type: EventType; readonly reason: string; readonly message: string }): void
}

export type EventType = 'Normal' | 'Warning'

/** Collects what `status` tasks set; the engine writes it once, at the end of the run. */
export interface StatusPort {
  /** @throws TaskFailure when two tasks set the same field differently */
  set(fields: JsonObject): void
}

/** Sorts by the places of tasks: in the order of the role and not of time. Items without a place come last. */
export function inOrderOfPlaces<Item extends { readonly place?: string | undefined }>(
  items: readonly Item[],
): readonly Item[] {
  if (items.length < 2) return items
  const keys = new Map(items.map((item) => [item, stepsOf(item.place)]))
  return items.toSorted((left, right) => compareSteps(keys.get(left), keys.get(right)))
}

/** The indices of the tasks and items on the way to a place. */
function stepsOf(place: string | undefined): readonly number[] | undefined {
  return place?.match(/\d+/g)?.map(Number)
}

function compareSteps(left: readonly number[] | undefined, right: readonly number[] | undefined): number {
  if (!left || !right) return Number(!left) - Number(!right)
  for (const [index, step] of left.entries()) {
    const difference = step - (right[index] ?? -1)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
