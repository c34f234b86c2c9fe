import { CodedError } from '../../core/base/coded-error.ts'
import type { JsonValue } from '../../core/base/json.ts'
import type { WrittenPlace } from './written-place.ts'

/** What one task came to. What each outcome leads to stands in one table: `reconcile/run/requeue-policy.ts`. */
export type TaskOutcome = DoneOutcome | { readonly kind: 'skipped' } | WaitingOutcome | FailedOutcome

export interface DoneOutcome {
  readonly kind: 'changed' | 'unchanged'
  readonly value?: JsonValue | undefined
  /** What failed within it and was rescued: the run goes on, and is not complete. */
  readonly rescued?: Stop | undefined
}

export function isStop(outcome: TaskOutcome): outcome is WaitingOutcome | FailedOutcome {
  return outcome.kind === 'waiting' || outcome.kind === 'failed'
}

/** The task that waits or failed, and how. */
export interface Stop<Outcome = WaitingOutcome | FailedOutcome> {
  readonly task: string
  readonly outcome: Outcome
}

/** What a list of tasks came to. */
export interface ListOutcome {
  /** The first task that failed, else the first that waits. */
  readonly stoppedBy?: Stop | undefined
  /** The other tasks that wait or failed, in order. Defaults to none. */
  readonly others?: readonly Stop[] | undefined
  /** The first failure that was rescued. */
  readonly rescued?: Stop | undefined
  /** One entry per task that was reached, in order, loops folded into one. */
  readonly tasks: readonly { readonly task: string; readonly kind: TaskOutcome['kind'] }[]
}

/** Not there yet: a normal outcome. The event waited for re-runs the role. */
export interface WaitingOutcome {
  readonly kind: 'waiting'
  /** The task within it that waits. Defaults to the task itself. */
  readonly task?: string | undefined
  /** Other tasks within it that wait. Defaults to none. */
  readonly others?: readonly Stop[] | undefined
  /** For people: does not change while the wait does not, holds no times and no secrets. */
  readonly reason: string
  /** Where the value that is missing is written. Absent of any other wait: nothing is wrong with the role. */
  readonly place?: WrittenPlace | undefined
  /** Milliseconds after which the task has failed, since it first waited for the present generation. Defaults to what its modifiers say. */
  readonly timeout?: number | undefined
}

export interface FailedOutcome {
  readonly kind: 'failed'
  /** The task within it that failed. Defaults to the task itself. */
  readonly task?: string | undefined
  /** Other tasks within it that wait or failed. Defaults to none. */
  readonly others?: readonly Stop[] | undefined
  readonly reason: FailureReason
  readonly error: Error
  /** Where the mistake is written. Absent of what no task does. */
  readonly place?: WrittenPlace | undefined
  /** Whether the same run may succeed later without any change (conflict, 429, 5xx, network). */
  readonly retriable: boolean
  /** Milliseconds that the server asked to wait. */
  readonly retryAfter?: number | undefined
  /** Whether the server refused what was sent: as invalid, or by admission. Defaults to false. */
  readonly isRefusal?: boolean | undefined
}

/** Reasons of the `Stalled` condition (language, section 6). */
export type FailureReason =
  | 'Failed'
  | 'Forbidden'
  | 'Invalid'
  | 'NameCollision'
  | 'FieldConflict'
  | 'DriftFight'
  | 'NonDeterministic'
  | 'ExpressionLimit'

export interface TaskFailureOptions extends ErrorOptions {
  /** Defaults to false. */
  readonly retriable?: boolean | undefined
  /** Milliseconds. */
  readonly retryAfter?: number | undefined
  /** The field of the task that is meant, such as `metadata.name`. */
  readonly field?: string | undefined
}

/** Thrown by a task or a port to fail the task with a reason of its own choice. */
export class TaskFailure extends CodedError {
  readonly reason: FailureReason
  readonly retriable: boolean
  readonly retryAfter: number | undefined
  readonly field: string | undefined

  constructor(reason: FailureReason, message: string, options: TaskFailureOptions = {}) {
    super(reason, message, options)
    this.reason = reason
    this.retriable = options.retriable ?? false
    this.retryAfter = options.retryAfter
    this.field = options.field
  }
}

/** What a whole role came to. */
export interface RunOutcome {
  /** The run reached its end without a wait, a failure or a rescued failure. Only such a run prunes and removes status fields. */
  readonly complete: boolean
  /** What kept the run from being complete: the first task that failed, else the first that waits, else the first failure that was rescued. */
  readonly stoppedBy?: Stop | undefined
  /** The other tasks that wait or failed, in the order of the role. Defaults to none. */
  readonly others?: readonly Stop[] | undefined
  readonly tasks: ListOutcome['tasks']
}
