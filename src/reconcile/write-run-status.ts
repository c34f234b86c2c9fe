import { isInvalid } from '../kube/api-error.ts'
import type { RunOutcome } from '../role/task-outcome.ts'
import { conditionsOfFinalize, conditionsOfRun, type EngineConditions } from './engine-conditions.ts'
import type { JudgedObject } from './object-port.ts'
import { isOtherObject } from './request-failure.ts'
import { failureOf } from './resource-memory.ts'
import type { FinishedRun, ReconcileContext } from './role-run.ts'
import type { StatusWriter } from './status-writer.ts'

type RunToReport = Pick<FinishedRun, 'outcome' | 'objects' | 'status'>

/**
 * Writes the result of a run into the status, unless the status is withheld for a moment. If the status is forbidden, the run fails: only a
 * person can grant the right.
 */
export async function writeRunStatus(
  status: StatusWriter,
  context: ReconcileContext,
  run: RunToReport,
): Promise<{ outcome: RunOutcome; wroteStatus: boolean }> {
  const { memory } = context
  memory.withheld = withheldFor(status, context, run)
  if (memory.withheld > 0) return { outcome: run.outcome, wroteStatus: false }
  try {
    const wroteStatus = await write(status, context, run)
    memory.statusRefusals = 0
    return { outcome: run.outcome, wroteStatus }
  } catch (error) {
    const outcome = failureOf(error, memory)
    if (outcome.reason !== 'Forbidden') throw error
    memory.statusRefusals++
    if (run.outcome.complete) memory.attempts.terminal = memory.statusRefusals
    const stoppedBy = run.outcome.stoppedBy ?? { task: 'status', outcome }
    return { outcome: { ...run.outcome, complete: false, stoppedBy }, wroteStatus: false }
  }
}

/**
 * Milliseconds for which the status is withheld. It is withheld while the resource is Ready and the only problem is that controllers have not
 * observed its children yet; a task may wait for such a child. Not even `observedGeneration` is written, so clients see that the status is
 * about the former spec.
 */
function withheldFor(status: StatusWriter, context: ReconcileContext, { outcome, objects }: RunToReport): number {
  const { list, memory, began } = context
  if (list !== 'tasks' || outcome.stoppedBy?.outcome.kind === 'failed') return 0
  const { judged } = objects
  const left = memory.unobserved.left(judged, began.monotonic)
  const isUnready = judged.some(({ readiness: { kind } }) => kind === 'notReady' || kind === 'failed')
  return isUnready || !status.saysReady(context) ? 0 : left
}

async function write(
  report: StatusWriter,
  context: ReconcileContext,
  { outcome, objects, status }: RunToReport,
): Promise<boolean> {
  if (context.memory.hidesFailure) return false
  const conditions = conditionsOf(context, outcome, objects.judged)
  try {
    return await report.write(context, {
      conditions,
      fields: status.fields,
      complete: outcome.complete,
      isRun: context.list === 'tasks',
    })
  } catch (error) {
    if (!isInvalid(error) || isOtherObject(error)) throw error
    const failed: RunOutcome = { ...outcome, stoppedBy: { task: 'status', outcome: failureOf(error, context.memory) } }
    return report.write(context, {
      conditions: conditionsOf(context, failed, []),
      fields: {},
      complete: false,
      isRun: false,
    })
  }
}

/** The conditions after a run of `tasks` or of `finalize` tasks. */
export function conditionsOf(
  { list }: ReconcileContext,
  outcome: RunOutcome,
  judged: readonly JudgedObject[],
): EngineConditions {
  return list === 'finalize' ? conditionsOfFinalize(outcome) : conditionsOfRun(outcome, judged)
}
