import type { RunOutcome } from '../../role/task-outcome.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import type { TimedOutRun } from '../../runtime/reconciler.ts'

/** The outcome of a run that was aborted at its deadline. `task` is the one that was running, if any. */
export function outcomeOfTimeout({ error, isHung }: Pick<TimedOutRun, 'error' | 'isHung'>, task = 'run'): RunOutcome {
  const next = isHung
    ? 'it continues although it was aborted, so the resource waits (restart the operator if it does not end)'
    : 'it was aborted and is tried again (see what the task waits for, or set a longer --reconciliation-timeout)'
  const outcome = toFailedOutcome(new TaskFailure('Failed', `${error.message}: ${next}`, { retriable: true }))
  return { complete: false, stoppedBy: { task, outcome }, tasks: [] }
}
