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

function stops(outcome: TaskOutcome): outcome is WaitingOutcome | FailedOutcome {
  return outcome.kind === 'waiting' || outcome.kind === 'failed'
}
