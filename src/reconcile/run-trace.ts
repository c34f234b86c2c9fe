import type { TaskOutcome } from '../role/task-outcome.ts'

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

/** What became of one run and why, for people. It holds no value of a Secret, and is small: what is long is cut. */
export interface RunTrace {
  /** RFC 3339, when the run began. */
  readonly at: string
  readonly milliseconds: number
  /** Of the resource. */
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
  /** Tasks and items of loops beyond those listed. */
  readonly more?: number | undefined
  /** Objects that the role makes no more. */
  readonly removed?: readonly string[] | undefined
  /** Fields of the status that were written. */
  readonly status?: readonly string[] | undefined
  /** Requests that the run sent, by verb. */
  readonly requests: Readonly<Record<string, number>>
}

/** Why a run began. */
export interface Trigger {
  /**
   * `created edited deleted`: the resource. `changed`: an object that the last run looked at, or that the resource owns.
   * `started`: the operator, or the watch. `reloaded`: the role or its entry. `served`: a kind that was missing is there.
   * `retry wait period`: time has passed since a failure, a wait, or a complete run.
   */
  readonly kind:
    | 'created'
    | 'edited'
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
  /** What happened to that object. */
  readonly how?: 'added' | 'updated' | 'deleted' | undefined
  readonly resourceVersion?: string | undefined
  /** Of the resource, that were edited. */
  readonly fields?: readonly string[] | undefined
}

/** A task, or one item of its loop. */
export interface TracedTask {
  readonly name: string
  /** How many tasks it stands in. Defaults to none. */
  readonly depth?: number | undefined
  /** Its place in the loop of the task that it stands in. */
  readonly item?: number | undefined
  readonly outcome: TaskOutcome['kind']
  readonly milliseconds?: number | undefined
  /** Conditions that were false, and what a wait or a failure says. */
  readonly why?: readonly string[] | undefined
  readonly objects?: readonly TracedObject[] | undefined
}

/** What a task did to an object. */
export interface TracedObject {
  /** `Deployment default/web`; of a list `Pod`. */
  readonly object: string
  /** `corrected`: somebody had changed fields of ours. */
  readonly did: 'read' | 'listed' | 'missing' | 'unchanged' | 'created' | 'changed' | 'corrected'
  /** How many a list has found. */
  readonly count?: number | undefined
  readonly fields?: readonly TracedField[] | undefined
  /** Fields that differ beyond those listed. */
  readonly more?: number | undefined
  /** Fields that were not ours any more. */
  readonly lost?: readonly string[] | undefined
  /** The manager that wrote the object last besides us, as far as that is known. */
  readonly by?: string | undefined
}

/** A field that a write changed. */
export interface TracedField {
  readonly field: string
  /** JSON, cut. Absent: nothing was there. */
  readonly from?: string | undefined
  /** JSON, cut. Absent: nothing is there any more. */
  readonly to?: string | undefined
  /** Source of the expression that gave the new value. */
  readonly expression?: string | undefined
}
