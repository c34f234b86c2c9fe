import type { Task } from './role.ts'
import { runTask, type TaskRunContext } from './run-task.ts'
import type { FailedOutcome, ListOutcome, Stop, TaskOutcome, WaitingOutcome } from './task-outcome.ts'

/** Runs tasks from top to bottom, until one waits or fails. */
export async function runTasks(list: readonly Task[], context: TaskRunContext): Promise<ListOutcome> {
  const tasks: ListOutcome['tasks'][number][] = []
  let rescued: Stop | undefined
  for (const task of list) {
    const outcome = await runTask(task, context)
    tasks.push({ task: task.name, kind: outcome.kind })
    if (stops(outcome)) return { stoppedBy: { task: outcome.task ?? task.name, outcome }, rescued, tasks }
    if ('rescued' in outcome) rescued ??= outcome.rescued
  }
  return { rescued, tasks }
}

/**
 * What still runs of a list after one of its tasks has failed. `rest` begins with the failed task. A task runs that only
 * reports and reads nothing that the failed task, or one that was not reached, would have given. What such a task runs into
 * does not matter beside the failure that stopped the list.
 */
export async function runAfterFailure([failed, ...rest]: readonly Task[], context: TaskRunContext): Promise<void> {
  const missing = new Set(failed?.gives)
  for (const task of rest) {
    if (task.kind.runsAfterFailure && missing.isDisjointFrom(task.reads)) await runTask(task, context)
    else for (const name of task.gives) missing.add(name)
  }
}

function stops(outcome: TaskOutcome): outcome is WaitingOutcome | FailedOutcome {
  return outcome.kind === 'waiting' || outcome.kind === 'failed'
}
