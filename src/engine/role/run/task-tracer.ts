import type { Template } from '../../expression/compile-template.ts'
import type { TaskOutcome } from '../task-outcome.ts'

/** Records what a run, or one task of it, does, for `rolebook explain`. What it records leaves it redacted only. */
export interface TaskTracer {
  /** A task begins, within the one that is traced. Returns what traces it. */
  begin(task: TracedTaskSource, at: TracedPlace): TaskTracer
  /** The task has ended. The words of its outcome are redacted. */
  end(outcome: TaskOutcome): void
  /** A condition of the task was evaluated. `place`: `when`, `wait.for`. */
  answered(place: string, source: string, answer: boolean): void
}

/** What a tracer gets to know of a task. */
export interface TracedTaskSource {
  readonly name: string
  /** Whether its values are kept from people. */
  readonly isSensitive: boolean
  /** The template of the object that it writes. */
  readonly written: Template | undefined
}

/** Where a task stands among those that begin within the same one. */
export interface TracedPlace {
  /** In its file. */
  readonly place: string
  /** In its list. */
  readonly index: number
  /** In the loop of the task within which it begins. */
  readonly item?: number | undefined
}
