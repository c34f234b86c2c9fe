import type { Condition } from '../kube/condition.ts'
import type { Request } from '../runtime/reconciler.ts'

/** One run, or the end of a resource, as whoever shows the operator's work sees it. */
export interface RunReport {
  readonly request: Request
  /** `skipped`: nothing had changed since the last complete run. `gone`: the resource is not looked after any more. */
  readonly outcome: 'complete' | 'waiting' | 'failed' | 'skipped' | 'paused' | 'deleting' | 'gone'
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
}

export type RunListener = (report: RunReport) => void
