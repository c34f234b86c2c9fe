import { isInvalid } from '../../../core/kube/api-error.ts'
import { conditionsOf as conditionsIn, findCondition } from '../../../core/kube/condition.ts'
import type { FailedOutcome, RunOutcome } from '../../role/task-outcome.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import type { JudgedObject } from '../apply/object-port.ts'
import { isOtherObject } from '../apply/request-failure.ts'
import type { WatchedResources } from '../reconciler-ports.ts'
import { failureOf } from '../run/resource-memory.ts'
import type { FinishedRun, ReconcileContext } from '../run/role-run.ts'
import { conditionsOfFinalize, conditionsOfRun, type EngineConditions } from './engine-conditions.ts'
import type { EngineEvents } from './engine-events.ts'
import type { StatusReport } from './status-report.ts'

export interface StatusContent extends Pick<Parameters<StatusReport['write']>[0], 'fields' | 'complete'> {
  readonly conditions: EngineConditions
  /** Whether the status is about the present generation of the resource. */
  readonly isRun: boolean
}

/** Writes the status of a resource, and its conditions unless the watch entry leaves them to the role (`manageStatus: false`). */
export class StatusWriter {
  readonly #resources: Pick<WatchedResources, 'latest'>
  readonly #report: StatusReport
  readonly #events: EngineEvents

  constructor(resources: Pick<WatchedResources, 'latest'>, report: StatusReport, events: EngineEvents) {
    this.#resources = resources
    this.#report = report
    this.#events = events
  }

  write(
    { request, entry, owner, memory, signal }: ReconcileContext,
    { conditions, fields, complete, isRun }: StatusContent,
  ): Promise<boolean> {
    const resource = this.#resources.latest(request, owner.uid) ?? owner.resource
    this.#events.recordConditions(conditions, memory.reportedReady, { owner: { ...owner, resource }, signal })
    memory.reportedReady = conditions.Ready
    const isManaged = entry.manageStatus
    return this.#report.write({
      gvk: entry.gvk,
      resource,
      memory,
      entryHash: entry.hash,
      fields,
      conditions: isManaged ? conditions : undefined,
      observedGeneration: isManaged && isRun ? owner.resource.metadata.generation : undefined,
      complete,
      signal,
    })
  }

  /** Whether clients see `Ready=True` of the engine. */
  saysReady({ request, entry, owner, memory }: ReconcileContext): boolean {
    if (!entry.manageStatus || memory.isStatusUnsure) return false
    const resource = this.#resources.latest(request, owner.uid) ?? owner.resource
    return findCondition(conditionsIn(resource), 'Ready')?.status === 'True'
  }

  /** Writes conditions while no role runs. A status that is forbidden is ignored. */
  async writeConditions(context: ReconcileContext, conditions: EngineConditions): Promise<boolean> {
    const { memory } = context
    try {
      const wrote = await this.write(context, { conditions, fields: {}, complete: false, isRun: false })
      memory.statusRefusals = 0
      return wrote
    } catch (error) {
      if (toFailedOutcome(error).reason !== 'Forbidden') throw error
      memory.statusRefusals++
      return false
    }
  }
}

type RunToReport = Pick<FinishedRun, 'outcome' | 'objects' | 'status'>

/**
 * Says in the status what came of a run, unless that is to be withheld for a moment. A status that the server refuses is a
 * failure of the run, and tried again: not every refusal is meant for ever.
 */
export async function writeRunStatus(
  status: StatusWriter,
  context: ReconcileContext,
  run: RunToReport,
): Promise<ReportedOutcome> {
  const { memory } = context
  memory.withheld = withheldFor(status, context, run)
  if (memory.withheld > 0) return { outcome: run.outcome, wroteStatus: false }
  try {
    const wroteStatus = await write(status, context, run)
    memory.statusRefusals = 0
    return { outcome: run.outcome, wroteStatus }
  } catch (error) {
    const failure = failureOf(error, memory)
    const isForbidden = failure.reason === 'Forbidden'
    if (!isForbidden && (!isInvalid(error) || isOtherObject(error))) throw error
    const outcome = countRefusal(context, run.outcome, failure)
    return { outcome, wroteStatus: !isForbidden && (await reportRefusal(status, context, failure)) }
  }
}

interface ReportedOutcome {
  readonly outcome: RunOutcome
  readonly wroteStatus: boolean
}

function countRefusal({ memory }: ReconcileContext, outcome: RunOutcome, failure: FailedOutcome): RunOutcome {
  memory.statusRefusals++
  if (outcome.stoppedBy) return { ...outcome, complete: false }
  memory.attempts.terminal = memory.statusRefusals
  return { ...outcome, complete: false, stoppedBy: { task: 'status', outcome: failure } }
}

/** In place of the status that is refused. What tasks set in it may be the reason. */
async function reportRefusal(
  status: StatusWriter,
  context: ReconcileContext,
  failure: FailedOutcome,
): Promise<boolean> {
  const outcome: RunOutcome = { complete: false, stoppedBy: { task: 'status', outcome: failure }, tasks: [] }
  const conditions = conditionsOf(context, outcome, [])
  return status.write(context, { conditions, fields: {}, complete: false, isRun: false })
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
  const { complete } = outcome
  return report.write(context, { conditions, fields: status.fields, complete, isRun: context.list === 'tasks' })
}

/** The conditions after a run of `tasks` or of `finalize` tasks. */
export function conditionsOf(
  { list }: ReconcileContext,
  outcome: RunOutcome,
  judged: readonly JudgedObject[],
): EngineConditions {
  return list === 'finalize' ? conditionsOfFinalize(outcome) : conditionsOfRun(outcome, judged)
}
