import { conditionsOf, findCondition } from '../kube/condition.ts'
import { isTerminating } from '../kube/finalizer.ts'
import type { KubeObject } from '../kube/object.ts'
import { Secrecy } from '../role/secrecy.ts'
import type { RunOutcome } from '../role/task-outcome.ts'
import type { ReconcileResult } from '../runtime/reconciler.ts'
import type { Deletion, DeletionState } from './deletion.ts'
import { conditionsOfTeardown, conditionsWhileDeleting, type EngineConditions } from './engine-conditions.ts'
import { endOf, toResult } from './requeue-policy.ts'
import { failureOf } from './resource-memory.ts'
import type { Visit } from './role-run.ts'
import type { RunReport } from './run-report.ts'
import type { VisitStatus } from './visit-status.ts'

export interface LeaveTools {
  readonly deletion: Deletion
  readonly status: VisitStatus
  emit(report: Omit<RunReport, 'at'>): void
  /** Told of each object that is deleted. */
  removed(object: KubeObject): void
  /** Told of objects that stay because it is in doubt whether they may be deleted. */
  kept(objects: readonly KubeObject[]): void
}

/**
 * The resource goes, or is no longer ours to look after: what was made for it goes first. What holds that up is said in its
 * condition. `undefined`: nothing is left to do, the resource can be forgotten.
 */
export async function leaveResource(
  tools: LeaveTools,
  visit: Visit,
  reason: 'deleted' | 'unselected',
): Promise<ReconcileResult | undefined> {
  const { memory } = visit
  memory.completed = undefined
  try {
    const state = await leave(tools, visit, reason)
    if (state.kind === 'done') return undefined
    await tellBlocked(tools, { ...visit, owner: state.owner }, state.blockedBy)
    memory.count('waiting')
    return toResult({ kind: 'waiting', attempt: memory.attempts.waiting - 1 })
  } catch (error) {
    return failLeaving(tools, visit, error)
  }
}

/** Something of the end of the resource has failed. @throws what aborted the visit */
export async function failLeaving(
  tools: Pick<LeaveTools, 'status' | 'emit'>,
  visit: Visit,
  error: unknown,
): Promise<ReconcileResult> {
  const { memory, signal } = visit
  signal.throwIfAborted()
  const outcome = failureOf(error, memory)
  memory.count(outcome.retriable ? 'retriable' : 'terminal')
  const isTold = await tellFailed(tools, visit, outcome.error.message)
  if (!isTold) return toResult({ kind: 'retriable', retryAfter: outcome.retryAfter })
  const stopped: RunOutcome = { complete: false, stoppedBy: { task: 'delete', outcome }, tasks: [] }
  return toResult(endOf(stopped, { ...memory.attempts, period: 0 }))
}

async function leave(tools: LeaveTools, visit: Visit, reason: string): Promise<DeletionState> {
  const { deletion, status, removed, kept } = tools
  const departure = { ...visit, rules: visit.removalRules, removed, kept }
  if (reason === 'deleted') return deletion.finish(departure)
  const state = await deletion.tearDown(departure)
  const { resource } = visit.owner
  // What was said of a resource that stays is not true any more.
  const saysReady = findCondition(conditionsOf(resource), 'Ready') !== undefined
  if (state.kind === 'done' && !isTerminating(resource) && saysReady)
    await status.writeConditions(visit, conditionsOfTeardown())
  return state
}

async function tellBlocked({ status, emit }: LeaveTools, visit: Visit, blockedBy: string): Promise<void> {
  const conditions = conditionsFor(visit, blockedBy)
  const wroteStatus = await status.writeConditions(visit, conditions)
  emit({ request: visit.request, outcome: 'deleting', ready: conditions.Ready, changed: true, wroteStatus })
}

/**
 * Every failure is reported; the status shows one that may pass only when it has not passed for a while. False: the status
 * could not be written, and is to be soon.
 */
async function tellFailed(
  { status, emit }: Pick<LeaveTools, 'status' | 'emit'>,
  visit: Visit,
  message: string,
): Promise<boolean> {
  const { request, memory, signal } = visit
  const conditions = conditionsFor(visit, message)
  const wrote = memory.hidesFailure ? false : await status.writeConditions(visit, conditions).catch(() => undefined)
  signal.throwIfAborted()
  emit({ request, outcome: 'failed', ready: conditions.Ready, changed: true, wroteStatus: wrote === true })
  return wrote !== undefined
}

/** The name of what is still there may be made of what nobody may see. */
function conditionsFor({ memory }: Visit, blockedBy: string): EngineConditions {
  return conditionsWhileDeleting(new Secrecy(memory.secrets).redact(blockedBy))
}
