import { CodedError } from '../base/coded-error.ts'
import type { JsonValue } from '../base/json.ts'

/** What one task came to. What each outcome leads to stands in one table: `reconcile/requeue-policy.ts`. */
export type TaskOutcome =
  | { readonly kind: 'changed'; readonly value?: JsonValue | undefined }
  | { readonly kind: 'unchanged'; readonly value?: JsonValue | undefined }
  | { readonly kind: 'skipped' }
  | WaitingOutcome
  | FailedOutcome

/** Not there yet: a normal outcome. The event waited for re-runs the role. */
export interface WaitingOutcome {
  readonly kind: 'waiting'
  /** For people: does not change while the wait does not, holds no times and no secrets. */
  readonly reason: string
  /** Milliseconds after which this wait counts as failed, since it first stopped a run of the present generation. */
  readonly timeout?: number | undefined
}

export interface FailedOutcome {
  readonly kind: 'failed'
  readonly reason: FailureReason
  readonly error: Error
  /** Whether the same run may succeed later although nobody changes anything (conflict, 429, 5xx, network). */
  readonly retriable: boolean
  /** Milliseconds that the server asked to wait. */
  readonly retryAfter?: number | undefined
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
}

/** Thrown by a task or a port to fail the task with a reason of its own choice. */
export class TaskFailure extends CodedError {
  readonly reason: FailureReason
  readonly retriable: boolean
  readonly retryAfter: number | undefined

  constructor(reason: FailureReason, message: string, options: TaskFailureOptions = {}) {
    super(reason, message, options)
    this.reason = reason
    this.retriable = options.retriable ?? false
    this.retryAfter = options.retryAfter
  }
}

/** What a whole role came to. */
export interface RunOutcome {
  /** The run reached its end without a wait or a failure. Only such a run prunes and removes status fields. */
  readonly complete: boolean
  /** The task that stopped the run; absent when it is complete. */
  readonly stoppedBy?:
    | {
        readonly task: string
        readonly outcome: WaitingOutcome | FailedOutcome
      }
    | undefined
  /** One entry per task that was reached, in order, loops folded into one. */
  readonly tasks: readonly {
    readonly task: string
    readonly kind: TaskOutcome['kind']
  }[]
}
