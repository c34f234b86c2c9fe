import type { Secrecy } from '../secrecy/secrecy.ts'
import type { TaskOutcome } from '../task-outcome.ts'

/**
 * Follows runs and their tasks while they go on, for traces that leave the process. Each method does `work` once, at once, and settles as
 * it does. What `work` sends and logs, also after it has waited, belongs to what it is the work of.
 */
export interface RunSpans {
  /** One call of the reconciler. What is reported of it (`onRun`) is reported within `work`. */
  run<Result>(run: SpannedRun, work: () => Promise<Result>): Promise<Result>
  /** A task of the present run, or an item of its loop. What `work` comes to may contain secrets. */
  task(task: SpannedTask, work: () => Promise<TaskOutcome>): Promise<TaskOutcome>
}

export interface SpannedRun {
  /** The resource. The namespace is empty if it is cluster-scoped. */
  readonly request: { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string }
  /** What hides the secrets of the run, of a text that is given within its work or when it has ended. */
  readonly secrecy: Pick<Secrecy, 'redact'>
}

export interface SpannedTask {
  readonly name: string
  /** The name of its kind. */
  readonly kind: string
  /** The index of the item in the loop. Absent: the task as a whole. */
  readonly item?: number | undefined
}
