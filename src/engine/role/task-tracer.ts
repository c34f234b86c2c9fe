import type { Template } from '../expression/compile-template.ts'
import type { TaskOutcome } from './task-outcome.ts'

/** Records what a run does, task by task, for `rolebook explain`. What it records leaves it redacted only. */
export interface TaskTracer {
  /** A task begins within the one that began last and has not ended; `item` is its place in the loop of that one. */
  begin(task: TracedTaskSource, item?: number): void
  /** The task that began last has ended. The words of its outcome are redacted. */
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
