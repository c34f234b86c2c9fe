import type { TaskOutcome } from './task-outcome.ts'

/** Told of what a run does while it does it. Must be quick, and never throws. */
export interface RunObserver {
  /** The task of that name is over, with all items of its loop. */
  ran(task: string, kind: TaskOutcome['kind'], milliseconds: number): void
  /** An expression was evaluated, whatever came of it. */
  evaluated(milliseconds: number): void
}
