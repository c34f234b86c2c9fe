import type { Condition } from '../../../core/kube/condition.ts'
import type { Request } from '../../runtime/reconciler.ts'
import type { RunEnding, RunTrace } from './run-trace.ts'

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
