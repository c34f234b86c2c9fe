import { conditionsOf, findCondition } from '../../../core/kube/condition.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { Secrecy } from '../../role/secrecy.ts'
import type { RunOutcome } from '../../role/task-outcome.ts'
import type { ReconcileResult } from '../../runtime/reconciler.ts'
import { endOf, toResult } from '../run/requeue-policy.ts'
import { failureOf } from '../run/resource-memory.ts'
import type { ReconcileContext } from '../run/role-run.ts'
import { conditionsOfTeardown, conditionsWhileDeleting, type EngineConditions } from '../status/engine-conditions.ts'
import type { StatusWriter } from '../status/status-writer.ts'
import type { RunReport } from '../trace/run-trace.ts'
import type { Deletion, DeletionState } from './deletion.ts'

export interface CleanupTools {
  readonly deletion: Deletion
  readonly status: StatusWriter
  emit(report: Omit<RunReport, 'at'>): void
  /** Called with each object that is deleted. */
  removed(object: KubeObject): void
  /** Called with objects that are kept because nothing shows that they may be deleted. */
  kept(objects: readonly KubeObject[]): void
}

/**
 * Removes the objects of a resource that is being deleted, or that no entry selects any more. The condition of the resource says what
 * blocks that. Returns `undefined` when nothing is left to do: the resource can be forgotten.
 */
export async function cleanUpResource(
  tools: CleanupTools,
  context: ReconcileContext,
  reason: 'deleted' | 'unselected',
): Promise<ReconcileResult | undefined> {
  const { memory } = context
  memory.completed = undefined
  try {
    const state = await cleanUp(tools, context, reason)
    if (state.kind === 'done') return undefined
    await reportBlocked(tools, { ...context, owner: state.owner }, state.blockedBy)
    memory.count('waiting')
    return toResult({ kind: 'waiting', attempt: memory.attempts.waiting - 1 })
  } catch (error) {
    return failCleanup(tools, context, error)
  }
}

/** Reports that the cleanup of a resource has failed. @throws the reason of the signal when it aborts */
export async function failCleanup(
  tools: Pick<CleanupTools, 'status' | 'emit'>,
  context: ReconcileContext,
  error: unknown,
): Promise<ReconcileResult> {
  const { memory, signal } = context
  signal.throwIfAborted()
  const outcome = failureOf(error, memory)
  memory.count(outcome.retriable ? 'retriable' : 'terminal')
  const isReported = await reportFailed(tools, context, outcome.error.message)
  if (!isReported) return toResult({ kind: 'retriable', retryAfter: outcome.retryAfter })
  const stopped: RunOutcome = { complete: false, stoppedBy: { task: 'delete', outcome }, tasks: [] }
  return toResult(endOf(stopped, { ...memory.attempts, period: 0 }))
}

async function cleanUp(tools: CleanupTools, context: ReconcileContext, reason: string): Promise<DeletionState> {
  const { deletion, status, removed, kept } = tools
  const cleanup = { ...context, rules: context.removalRules, removed, kept }
  if (reason === 'deleted') return deletion.finish(cleanup)
  const state = await deletion.tearDown(cleanup)
  const { resource } = context.owner
  // The resource stays, but what its status says about its role is not true any more.
  const saysReady = findCondition(conditionsOf(resource), 'Ready') !== undefined
  if (state.kind === 'done' && !isTerminating(resource) && saysReady)
    await status.writeConditions(context, conditionsOfTeardown())
  return state
}

async function reportBlocked(
  { status, emit }: CleanupTools,
  context: ReconcileContext,
  blockedBy: string,
): Promise<void> {
  const conditions = conditionsFor(context, blockedBy)
  const wroteStatus = await status.writeConditions(context, conditions)
  emit({ request: context.request, outcome: 'deleting', ready: conditions.Ready, changed: true, wroteStatus })
}

/**
 * Reports a failure. The status shows a failure that may pass only when it has lasted for a while. Returns false if the status could not
 * be written, so that the next try must be soon.
 */
async function reportFailed(
  { status, emit }: Pick<CleanupTools, 'status' | 'emit'>,
  context: ReconcileContext,
  message: string,
): Promise<boolean> {
  const { request, memory, signal } = context
  const conditions = conditionsFor(context, message)
  const wrote = memory.hidesFailure ? false : await status.writeConditions(context, conditions).catch(() => undefined)
  signal.throwIfAborted()
  emit({ request, outcome: 'failed', ready: conditions.Ready, changed: true, wroteStatus: wrote === true })
  return wrote !== undefined
}

/** The name of an object that blocks the cleanup may be made of a Secret, so it is redacted. */
function conditionsFor({ memory }: ReconcileContext, blockedBy: string): EngineConditions {
  return conditionsWhileDeleting(new Secrecy(memory.secrets).redact(blockedBy))
}
