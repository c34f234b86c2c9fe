import type { Condition } from '../../../core/kube/condition.ts'
import type { TaskOutcome } from '../../role/task-outcome.ts'
import { type Request, requestKey } from '../../runtime/reconciler.ts'

/** How a run ends for a resource that has lost its role. Metrics and `explain` show this text, so it never changes. */
export const WITHOUT_ROLE = 'spared'

/**
 * `skipped`: nothing had changed since the last complete run. `gone`: the resource does not exist any more, or its objects are removed.
 * `WITHOUT_ROLE`: the resource has lost its role and keeps its objects.
 */
export type RunEnding =
  | 'complete'
  | 'waiting'
  | 'failed'
  | 'skipped'
  | 'paused'
  | 'deleting'
  | typeof WITHOUT_ROLE
  | 'gone'

/** What one run did and why, for people. It contains no value of a Secret. Long texts are cut, so that it stays small. */
export interface RunTrace {
  /** RFC 3339, when the run began. */
  readonly at: string
  readonly milliseconds: number
  /** The uid of the resource. */
  readonly uid: string
  readonly generation?: number | undefined
  readonly role: string
  readonly woken: readonly Trigger[]
  readonly outcome: RunEnding
  /** Reason and message of the `Ready` condition, as the run judged it. */
  readonly ready?: string | undefined
  /** The part of the role that ran. Absent: `tasks`. */
  readonly list?: 'finalize' | undefined
  readonly tasks: readonly TracedTask[]
  /** How many tasks and items of loops are not listed. */
  readonly more?: number | undefined
  /** Objects that the role does not make any more. */
  readonly removed?: readonly string[] | undefined
  /** Fields of the status that were written. */
  readonly status?: readonly string[] | undefined
  /** Requests that the run sent, by verb. */
  readonly requests: Readonly<Record<string, number>>
}

/** Why a run began. */
export interface Trigger {
  /**
   * `created edited deleted`: the resource was. `overwritten`: what the engine had written in its status was, by another client or by a former
   * process. `changed`: an object was that the last run had read or that the resource owns. `started`: the operator or the watch was.
   * `reloaded`: the role or its entry was. `served`: the server now has a kind that was missing. `retry wait period`: time has passed since a
   * failure, a wait, or a complete run.
   */
  readonly kind:
    | 'created'
    | 'edited'
    | 'overwritten'
    | 'deleted'
    | 'changed'
    | 'started'
    | 'reloaded'
    | 'served'
    | 'retry'
    | 'wait'
    | 'period'
  /** `Deployment default/web`. */
  readonly object?: string | undefined
  /** What happened to this object. */
  readonly how?: 'added' | 'updated' | 'deleted' | undefined
  readonly resourceVersion?: string | undefined
  /** The fields of the resource that were edited or overwritten. */
  readonly fields?: readonly string[] | undefined
}

/** A task, or one item of its loop. */
export interface TracedTask {
  readonly name: string
  /** How many tasks contain it. Defaults to none. */
  readonly depth?: number | undefined
  /** Its index in the loop of the task that contains it. */
  readonly item?: number | undefined
  readonly outcome: TaskOutcome['kind']
  readonly milliseconds?: number | undefined
  /** Conditions that were false, and the message of a wait or a failure. */
  readonly why?: readonly string[] | undefined
  readonly objects?: readonly TracedObject[] | undefined
}

/** What a task did to an object. */
export interface TracedObject {
  /** `Deployment default/web`; of a list `Pod`. */
  readonly object: string
  /** `adopted`: it was there, and not ours. `corrected`: another client had changed fields of ours. */
  readonly did: 'read' | 'listed' | 'missing' | 'unchanged' | 'created' | 'adopted' | 'changed' | 'corrected'
  /** How many a list has found. */
  readonly count?: number | undefined
  readonly fields?: readonly TracedField[] | undefined
  /** How many fields differ that are not listed. */
  readonly more?: number | undefined
  /** Fields that another manager had taken. */
  readonly lost?: readonly string[] | undefined
  /** The last other manager that wrote the object, if it is known. */
  readonly by?: string | undefined
  /** Managers whose fields were taken over. */
  readonly taken?: readonly string[] | undefined
  /** Fields of an adopted object that others hold as well: such a field stays when the role drops it. */
  readonly shared?: readonly TracedHolder[] | undefined
  /** Fields that the role has dropped and that stay, since others hold them. */
  readonly kept?: readonly TracedHolder[] | undefined
}

/** A manager, and fields that it holds. */
export interface TracedHolder {
  readonly by: string
  readonly fields: readonly string[]
}

/** A field that a write changed. */
export interface TracedField {
  readonly field: string
  /** JSON, cut. Absent if the field was absent. */
  readonly from?: string | undefined
  /** JSON, cut. Absent if the field was removed. */
  readonly to?: string | undefined
  /** The source of the expression that gave the new value. */
  readonly expression?: string | undefined
}

/** What one call of the reconciler came to, for logs, metrics, the live view and `explain`. */
export interface RunReport {
  readonly request: Request
  readonly outcome: RunEnding
  /** The `Ready` condition as the run judged it, whether or not it was written. */
  readonly ready?: Condition | undefined
  /** How many objects the role makes; absent if the run does not know. */
  readonly children?: number | undefined
  /** Whether the run changed anything in the cluster besides the status. */
  readonly changed: boolean
  /** Whether the run wrote the status. */
  readonly wroteStatus: boolean
  /** Milliseconds since 1970. */
  readonly at: number
  /** What the run did and why. Absent if the run was skipped, or if there was nothing to do. */
  readonly trace?: RunTrace | undefined
}

export type RunListener = (report: RunReport) => void

/** Triggers that are kept of one request. Others are dropped: a run examines everything anyway. */
const MOST = 5

/** What triggered the requests that wait for their runs. It is only shown to people: no run depends on it. */
export class PendingTriggers {
  readonly #pending = new Map<string, Trigger[]>()

  note(request: Request, trigger: Trigger): void {
    const key = requestKey(request)
    const pending = this.#pending.get(key)
    if (!pending) this.#pending.set(key, [trigger])
    else if (pending.length < MOST) pending.push(trigger)
  }

  /** Returns the triggers since the last call. */
  take(request: Request): readonly Trigger[] {
    const key = requestKey(request)
    const pending = this.#pending.get(key) ?? []
    this.#pending.delete(key)
    return pending
  }

  /** Returns triggers that were taken for a run that did not happen. They come before those noted since. */
  putBack(request: Request, triggers: readonly Trigger[]): void {
    this.#pending.set(requestKey(request), [...triggers, ...this.take(request)].slice(0, MOST))
  }
}
