import type { TaskOutcome } from '../task-outcome.ts'

/** Is called for what a run does, while it does it. Its methods must be quick and never throw. */
export interface RunObserver {
  /** The task of that name is over, with all items of its loop. */
  ran(task: string, kind: TaskOutcome['kind'], milliseconds: number): void
  /** An expression was evaluated, with success or not. */
  evaluated(milliseconds: number): void
}
