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
 * reports and reads nothing that the failed task, or one that was not reached, would have given. Nothing runs behind a task
 * that holds up those after it. What such a task runs into does not matter beside the failure that stopped the list.
 */
export async function runAfterFailure(rest: readonly Task[], context: TaskRunContext): Promise<void> {
  const missing = new Set<string>()
  for (const [index, task] of rest.entries()) {
    if (holdsUpLaterTasks(task)) return
    const isReport = index > 0 && task.kind.runsAfterFailure === true
    if (isReport && missing.isDisjointFrom(task.reads)) await runTask(task, context)
    else for (const name of task.gives) missing.add(name)
  }
}

/** Whether later tasks are about a world in which this one has succeeded; a task that holds others may hold such a one. */
function holdsUpLaterTasks({ kind, modifiers: { waitReady = false } }: Task): boolean {
  return kind.holdsUpLaterTasks === true || waitReady !== false || Boolean(kind.lists || kind.files)
}

function stops(outcome: TaskOutcome): outcome is WaitingOutcome | FailedOutcome {
  return outcome.kind === 'waiting' || outcome.kind === 'failed'
}
