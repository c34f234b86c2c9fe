import { isInvalid } from '../kube/api-error.ts'
import type { FailedOutcome, RunOutcome } from '../role/task-outcome.ts'
import { conditionsOfFinalize, conditionsOfRun, type EngineConditions } from './engine-conditions.ts'
import type { JudgedObject } from './object-port.ts'
import { isOtherObject } from './request-failure.ts'
import { failureOf } from './resource-memory.ts'
import type { FinishedRun, Visit } from './role-run.ts'
import type { VisitStatus } from './visit-status.ts'

type Told = Pick<FinishedRun, 'outcome' | 'objects' | 'status'>

/**
 * Says in the status what came of a run, unless that is to be withheld for a moment. A status that the server refuses is a
 * failure of the run, and tried again: not every refusal is meant for ever.
 */
export async function writeRunStatus(status: VisitStatus, visit: Visit, run: Told): Promise<ToldOutcome> {
  const { memory } = visit
  memory.withheld = withheldFor(status, visit, run)
  if (memory.withheld > 0) return { outcome: run.outcome, wroteStatus: false }
  try {
    const wroteStatus = await write(status, visit, run)
    memory.statusRefusals = 0
    return { outcome: run.outcome, wroteStatus }
  } catch (error) {
    const failure = failureOf(error, memory)
    const isForbidden = failure.reason === 'Forbidden'
    if (!isForbidden && (!isInvalid(error) || isOtherObject(error))) throw error
    const outcome = countRefusal(visit, run.outcome, failure)
    return { outcome, wroteStatus: !isForbidden && (await sayRefused(status, visit, failure)) }
  }
}

interface ToldOutcome {
  readonly outcome: RunOutcome
  readonly wroteStatus: boolean
}

function countRefusal({ memory }: Visit, outcome: RunOutcome, failure: FailedOutcome): RunOutcome {
  memory.statusRefusals++
  if (outcome.stoppedBy) return { ...outcome, complete: false }
  memory.attempts.terminal = memory.statusRefusals
  return { ...outcome, complete: false, stoppedBy: { task: 'status', outcome: failure } }
}

/** In place of the status that is refused. What tasks set in it may be the reason. */
async function sayRefused(status: VisitStatus, visit: Visit, failure: FailedOutcome): Promise<boolean> {
  const outcome: RunOutcome = { complete: false, stoppedBy: { task: 'status', outcome: failure }, tasks: [] }
  const conditions = conditionsOf(visit, outcome, [])
  return status.write(visit, { conditions, fields: {}, complete: false, isRun: false })
}

/**
 * Milliseconds for which the status stays as it is: that of a resource which is Ready, while nothing else is known against it
 * than that controllers have not seen its children yet. A task that waits may do so for such a child. Nothing is written, not
 * even `observedGeneration`: clients see by it that the status is about the spec before.
 */
function withheldFor(status: VisitStatus, visit: Visit, { outcome, objects }: Told): number {
  const { list, memory, began } = visit
  if (list !== 'tasks' || outcome.stoppedBy?.outcome.kind === 'failed') return 0
  const { judged } = objects
  const left = memory.unobserved.left(judged, began.monotonic)
  const isUnready = judged.some(({ readiness: { kind } }) => kind === 'notReady' || kind === 'failed')
  return isUnready || !status.saysReady(visit) ? 0 : left
}

async function write(report: VisitStatus, visit: Visit, { outcome, objects, status }: Told): Promise<boolean> {
  if (visit.memory.hidesFailure) return false
  const conditions = conditionsOf(visit, outcome, objects.judged)
  const { complete } = outcome
  return report.write(visit, { conditions, fields: status.fields, complete, isRun: visit.list === 'tasks' })
}

/** What a run says of its resource, be it one of `tasks` or of `finalize`. */
export function conditionsOf({ list }: Visit, outcome: RunOutcome, judged: readonly JudgedObject[]): EngineConditions {
  return list === 'finalize' ? conditionsOfFinalize(outcome) : conditionsOfRun(outcome, judged)
}
