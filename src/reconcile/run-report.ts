import type { Condition } from '../kube/condition.ts'
import type { Request } from '../runtime/reconciler.ts'
import type { RunEnding, RunTrace } from './run-trace.ts'

/** One run, or the end of a resource, as whoever shows the operator's work sees it. */
export interface RunReport {
  readonly request: Request
  readonly outcome: RunEnding
  /** As the run judged it, whether or not it was written. */
  readonly ready?: Condition | undefined
  /** How many objects the role makes; absent when the run did not get to know. */
  readonly children?: number | undefined
  /** Whether the run changed anything in the cluster besides the status. */
  readonly changed: boolean
  /** Whether the run wrote the status. */
  readonly wroteStatus: boolean
  /** Milliseconds since 1970. */
  readonly at: number
  /** What the run did and why. Of a run that was skipped, and of an end with nothing to do: nothing. */
  readonly trace?: RunTrace | undefined
}

export type RunListener = (report: RunReport) => void
