import type { ListOutcome, TaskOutcome } from '../task-outcome.ts'

/** What a task came to that ran a list of others: what stopped them, else whether one of them changed something. */
export function outcomeOfList({ stoppedBy, others, rescued, tasks }: ListOutcome): TaskOutcome {
  if (stoppedBy) return { ...stoppedBy.outcome, task: stoppedBy.task, others }
  return { kind: tasks.some(({ kind }) => kind === 'changed') ? 'changed' : 'unchanged', rescued }
}
