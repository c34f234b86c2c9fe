import { isTransient } from '../kube/api-error.ts'
import { conditionsOf as conditionsIn, findCondition } from '../kube/condition.ts'
import { isTerminating } from '../kube/finalizer.ts'
import { gvkOf } from '../kube/group-version-kind.ts'
import { isCut, MOST_LEVELS } from '../kube/nesting.ts'
import { formatKey, formatObject, keyOf } from '../kube/object.ts'
import { redactThrown } from '../role/redact-outcome.ts'
import { Secrecy } from '../role/secrecy.ts'
import { type RunOutcome, TaskFailure } from '../role/task-outcome.ts'
import { toFailedOutcome } from '../role/to-failed-outcome.ts'
import type { Turn } from '../runtime/long-turns.ts'
import {
  type ReconcileResult,
  type Reconciler,
  type Request,
  requestKey,
  type TimedOutRun,
} from '../runtime/reconciler.ts'
import { type CleanupTools, cleanUpResource, failCleanup } from './clean-up-resource.ts'
import { type Deletion, mustFinalize } from './deletion.ts'
import { conditionsWhilePaused, conditionsWithoutRole } from './engine-conditions.ts'
import { objectId } from './managed-objects.ts'
import { ownerOf } from './marks.ts'
import { NamespaceRules } from './namespace-rules.ts'
import { stoppedRun } from './own-loop.ts'
import { type Cause, DONE_BY_OTHERS, type OwnVersions } from './own-versions.ts'
import type { PendingTriggers } from './pending-triggers.ts'
import type { RequestCounter } from './request-counter.ts'
import { isOtherObject } from './request-failure.ts'
import { endOf, toResult } from './requeue-policy.ts'
import { contentHash } from './resource-content.ts'
import { ResourceMemory } from './resource-memory.ts'
import { isPaused, periodOf } from './resource-settings.ts'
import { byId, type FinishedRun, type ReconcileContext, type RoleRunTools, runRoleOnce } from './role-run.ts'
import { runOrPostpone } from './run-or-postpone.ts'
import type { RunListener, RunReport } from './run-report.ts'
import { WITHOUT_ROLE } from './run-trace.ts'
import { RunTracer } from './run-tracer.ts'
import type { SeenDeletions } from './seen-deletions.ts'
import { mustSettle, settlePropagation } from './settle-propagation.ts'
import type { StatusReport } from './status-report.ts'
import { StatusWriter } from './status-writer.ts'
import { outcomeOfTimeout } from './timed-out-run.ts'
import { traceOf, triggersOf } from './trace-of-run.ts'
import type { FoundResource, WatchedResources } from './watch-entry.ts'
import { conditionsOf, writeRunStatus } from './write-run-status.ts'

export interface RoleReconcilerSteps extends RoleRunTools {
  readonly resources: WatchedResources
  readonly deletion: Deletion
  readonly seenDeletions: SeenDeletions
  readonly ownVersions: OwnVersions
  readonly pendingTriggers: PendingTriggers
  readonly requests: RequestCounter
  readonly statusReport: StatusReport
  readonly onRun?: RunListener | undefined
}

type Report = Omit<RunReport, 'at'>

/** Brings one resource to the state that its role declares. It knows nothing of queues, informers and workers. */
export class RoleReconciler implements Reconciler {
  readonly #steps: RoleReconcilerSteps
  readonly #status: StatusWriter
  readonly #memories = new Map<string, ResourceMemory>()
  /** By the signal of the call. */
  readonly #contexts = new WeakMap<AbortSignal, ReconcileContext>()

  constructor(steps: RoleReconcilerSteps) {
    this.#steps = steps
    this.#status = new StatusWriter(steps.resources, steps.statusReport, steps.engineEvents)
  }

  reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
    const secrecy = (): Secrecy => new Secrecy(this.#memories.get(requestKey(request))?.secrets)
    return this.#steps.secrecy.during(secrecy, () => this.#tried(request, signal, turn))
  }

  async timedOut(run: TimedOutRun, signal: AbortSignal): Promise<void> {
    const context = this.#contexts.get(run.run)
    if (!context) return
    const { request, memory, owner, underWay } = context
    const outcome = outcomeOfTimeout(run, underWay.tracer?.current)
    const list = isTerminating(owner.resource) ? 'finalize' : context.list
    const conditions = conditionsOf({ ...context, list }, outcome, [])
    const wroteStatus = await this.#status.writeConditions({ ...context, signal }, conditions)
    if (run.isHung) return
    memory.completed = undefined
    memory.count('retriable')
    underWay.tracer?.giveUp(run.error)
    const report = { request, outcome: 'failed', ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(context, report, { ...this.#steps, tracer: underWay.tracer }) })
  }

  /** Resolves when all recorded events are written, or `signal` aborts. */
  flushed(signal: AbortSignal): Promise<void> {
    return this.#steps.events.flushed(signal)
  }

  async #tried(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
    try {
      return await this.#reconcile(request, signal, turn).catch((error) => this.#retry(error, signal))
    } finally {
      const { requests, clock } = this.#steps
      this.#memories.get(requestKey(request))?.allowance.spend(requests.count(signal), clock.monotonic())
    }
  }

  /** Retries silently if the status was written on an old view or the server is away: a person need not know. */
  #retry(error: unknown, signal: AbortSignal): ReconcileResult {
    if (signal.aborted) throw error
    if (!(isOtherObject(error) || isTransient(error))) throw redactThrown(error, this.#steps.secrecy)
    return toResult({ kind: 'retriable', retryAfter: (error.retryAfterSeconds ?? 0) * 1000 })
  }

  async #reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
    const found = await this.#steps.resources.find(request, signal)
    if (found.kind === 'gone') return this.#forgetGone(request)
    if (found.kind === 'expected') return { retry: true }

    const context = await this.#settled(this.#newContext(request, found, { signal, turn }), found.kind)
    if ('result' in context) return context.result
    if (isPaused(found.resource)) return this.#pause(context)
    if (found.kind === 'withoutRole') return this.#reportNoRole(context)
    if (found.kind === 'unselected') return this.#cleanUpUnselected(context)
    // No expression can be evaluated over it, so its `finalize` tasks are not run and the deletion goes on.
    const isUnreadable = isCut(found.resource)
    if (isTerminating(found.resource) && (context.list === 'tasks' || isUnreadable))
      return this.#cleanUp(context, 'deleted')
    if (isUnreadable) return this.#refuseNesting(context)
    const early = context.memory.allowance.pause(this.#steps.clock.monotonic())
    if (early > 0) return this.#throttle(context, early)
    if (await this.#isUnchanged(context)) return this.#skip(context)

    const cause = await this.#causeOf(context)
    const pause = context.memory.loop.pause(context.fingerprint, this.#steps.clock.monotonic())
    if (cause().isOwnDoing && pause > 0) return toResult({ kind: 'postponed', pause })
    const { pendingTriggers, ownVersions } = this.#steps
    return runOrPostpone(pendingTriggers, context, () => ownVersions.during(cause, () => this.#run(context, cause)))
  }

  async #run(context: ReconcileContext, cause: () => Cause): Promise<ReconcileResult> {
    // However this run ends, the former one does not count as complete any more.
    context.memory.completed = undefined
    const run = await runRoleOnce(this.#steps, context)
    context.memory.lastInputs = run.inputs
    context.memory.cause = cause()
    this.#count(context, run)
    if (context.list === 'finalize' && run.outcome.complete) return this.#finish(context, run)
    const reported = await writeRunStatus(this.#status, context, run)
    const { outcome, wroteStatus } = await this.#stopOwnLoop(context, { ...run, ...reported, cause: cause() })
    const made = new Set(byId(run.objects.ensured).keys())
    const { attempts, withheld } = context.memory
    // A run whose status is withheld must not be skipped when the status is due.
    context.memory.completed = outcome.complete && withheld === 0 ? { inputs: run.inputs, made } : undefined
    this.#report(context, { ...run, outcome, wroteStatus })
    return toResult(endOf(outcome, { ...attempts, deadline: run.deadline, period: periodOf(context), withheld }))
  }

  /** What has caused this run. It is evaluated late, since the watch may deliver our own write before its answer arrives. */
  async #causeOf({ memory, fingerprint, signal }: ReconcileContext): Promise<() => Cause> {
    try {
      const news = await memory.lastInputs?.news(fingerprint)
      if (!news) return () => DONE_BY_OTHERS
      // If nothing has changed, the run before is the cause.
      const next = { isOwnDoing: true, chain: memory.cause.chain + 1 }
      return () => (news.length === 0 ? next : this.#steps.ownVersions.causeIn(news))
    } catch {
      // A run will report what cannot be read any more.
      signal.throwIfAborted()
      return () => DONE_BY_OTHERS
    }
  }

  /** Stops a role for a while if it keeps triggering itself. */
  async #stopOwnLoop(
    context: ReconcileContext,
    { outcome, wroteStatus, cause, removed, ...run }: FinishedRun & { wroteStatus: boolean; cause: Cause },
  ): Promise<{ outcome: RunOutcome; wroteStatus: boolean }> {
    const { memory, fingerprint } = context
    const now = this.#steps.clock.monotonic()
    const tasks = outcome.tasks.filter(({ kind }) => kind === 'changed').map(({ task }) => `task "${task}"`)
    const fields = wroteStatus ? memory.changedStatus.map((field) => `status.${field}`) : []
    const wrote = [...tasks, ...fields, ...(removed > 0 ? ['what it removes'] : [])]
    const error = memory.loop.count({ fingerprint, cause, wrote }, now)
    if (!error) return { outcome, wroteStatus }
    const retryAfter = memory.loop.pause(fingerprint, now)
    const stopped = stoppedRun(outcome, error, retryAfter)
    const conditions = conditionsOf(context, stopped, run.objects.judged)
    return { outcome: stopped, wroteStatus: (await this.#status.writeConditions(context, conditions)) || wroteStatus }
  }

  #newContext(
    request: Request,
    found: Extract<FoundResource, { resource: unknown }>,
    given: Pick<ReconcileContext, 'signal' | 'turn'>,
  ): ReconcileContext {
    const { resource, entry } = found
    const owner = ownerOf(resource, entry.gvk)
    const rules = new NamespaceRules(owner.key.namespace, entry.allowedNamespaces)
    const removalRules = new NamespaceRules(owner.key.namespace, ...entry.allowedToKind)
    const fingerprint = `${contentHash(resource, entry.role.annotationsRead)} ${entry.hash}`
    const list = found.kind === 'selected' && mustFinalize({ owner, entry }) ? 'finalize' : 'tasks'
    const memory = this.#memoryOf(request, owner.uid)
    const { clock, pendingTriggers } = this.#steps
    const triggers = triggersOf(pendingTriggers.take(request), memory)
    const began = { at: clock.now(), monotonic: clock.monotonic() }
    const known = { request, entry, owner, rules, removalRules, fingerprint, list, memory, triggers, began } as const
    const context: ReconcileContext = { ...known, underWay: {}, ...given }
    this.#contexts.set(given.signal, context)
    return context
  }

  #memoryOf(request: Request, uid: string): ResourceMemory {
    const known = this.#memories.get(requestKey(request))
    if (known?.uid === uid) return known
    this.#steps.objects.applier.forgetOwner(known?.uid)
    const memory = new ResourceMemory(uid)
    this.#memories.set(requestKey(request), memory)
    return memory
  }

  /** Its triggers must not count for a new resource of the same name. */
  #forgetGone(request: Request): ReconcileResult {
    this.#steps.seenDeletions.forget(request)
    this.#steps.pendingTriggers.take(request)
    return this.#forget(request)
  }

  #forget(request: Request, emit = (report: Report): void => this.#emit(report)): ReconcileResult {
    this.#steps.objects.applier.forgetOwner(this.#memories.get(requestKey(request))?.uid)
    this.#memories.delete(requestKey(request))
    this.#steps.subscriptions.keep(request, [])
    emit({ request, outcome: 'gone', changed: false, wroteStatus: false })
    return toResult({ kind: 'gone' })
  }

  /** Whether all inputs of the last complete run are the same and no child exists that it did not make. */
  async #isUnchanged({ memory: { completed }, fingerprint, owner, entry, signal }: ReconcileContext): Promise<boolean> {
    try {
      if (!completed || !(await completed.inputs.areUnchanged(fingerprint))) return false
      const inventory = await this.#steps.managedObjects.inventory(entry.role, { owner, signal })
      return inventory.every((one) => isTerminating(one) || completed.made.has(objectId(gvkOf(one), keyOf(one))))
    } catch {
      // A run will report what cannot be read any more.
      signal.throwIfAborted()
      return false
    }
  }

  /** Says in the status that the resource has no role any more, and changes nothing else. */
  async #reportNoRole(context: ReconcileContext): Promise<ReconcileResult> {
    const { request, owner } = context
    const conditions = conditionsWithoutRole()
    const saysReady = findCondition(conditionsIn(owner.resource), 'Ready') !== undefined
    const wroteStatus = saysReady && (await this.#status.writeConditions(context, conditions))
    const report = { request, outcome: WITHOUT_ROLE, ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(context, report, this.#steps) })
    return {}
  }

  async #cleanUpUnselected(context: ReconcileContext): Promise<ReconcileResult> {
    if (mustFinalize(context)) this.#steps.engineEvents.recordFinalizeSkipped(context)
    return this.#cleanUp(context, 'unselected')
  }

  async #cleanUp(context: ReconcileContext, reason: 'deleted' | 'unselected'): Promise<ReconcileResult> {
    const tools = this.#cleanupTools(context)
    return (await cleanUpResource(tools, context, reason)) ?? this.#forget(context.request, tools.emit)
  }

  #cleanupTools(context: ReconcileContext): CleanupTools {
    const { deletion, clock, engineEvents, logger } = this.#steps
    const { owner, memory, request, signal } = context
    const secrecy = new Secrecy(memory.secrets)
    const tracer = new RunTracer(clock, secrecy)
    return {
      deletion,
      status: this.#status,
      emit: (report) => this.#emit({ ...report, trace: traceOf(context, report, { ...this.#steps, tracer }) }),
      removed: (object) => tracer.removed(object),
      kept(objects) {
        engineEvents.recordKept(objects, { owner, secrecy, signal })
        const names = objects.map(formatObject).join(', ')
        logger.warn('objects are kept: their resource may have been deleted with --cascade=orphan', {
          resource: formatKey(request),
          kind: request.kind,
          objects: secrecy.redact(names),
        })
      },
    }
  }

  /** Finds out first how a resource is being deleted, because the garbage collector removes the traces. */
  async #settled(
    context: ReconcileContext,
    kind: 'selected' | 'unselected' | 'withoutRole',
  ): Promise<ReconcileContext | { readonly result: ReconcileResult }> {
    if (!mustSettle(context, kind)) return context
    try {
      return (await settlePropagation(this.#steps, context)) ?? { result: { retry: true } }
    } catch (error) {
      return { result: await failCleanup(this.#cleanupTools(context), context, error) }
    }
  }

  /** Writes the status that the `finalize` tasks have set, and removes the objects of the resource. */
  async #finish(context: ReconcileContext, run: FinishedRun): Promise<ReconcileResult> {
    const saysSomething = Object.keys(run.status.fields).length > 0
    if (saysSomething)
      await writeRunStatus(this.#status, context, { ...run, outcome: { ...run.outcome, complete: false } })
    const { resources } = this.#steps
    const resource = resources.latest(context.request, context.owner.uid) ?? context.owner.resource
    return this.#cleanUp({ ...context, owner: { ...context.owner, resource } }, 'deleted')
  }

  async #pause(context: ReconcileContext): Promise<ReconcileResult> {
    const { request, memory, owner } = context
    memory.completed = undefined
    const conditions = conditionsWhilePaused(isTerminating(owner.resource))
    const wroteStatus = await this.#status.writeConditions(context, conditions)
    const report = { request, outcome: 'paused', ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(context, report, this.#steps) })
    return {}
  }

  async #refuseNesting(context: ReconcileContext): Promise<ReconcileResult> {
    const { request, memory } = context
    memory.completed = undefined
    memory.count('terminal')
    const outcome = tooDeeplyNested()
    const conditions = conditionsOf(context, outcome, [])
    const wroteStatus = await this.#status.write(context, { conditions, fields: {}, complete: false, isRun: true })
    const report = { request, outcome: 'failed', ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(context, report, this.#steps) })
    return toResult(endOf(outcome, { ...memory.attempts, period: 0 }))
  }

  /** Keeps the triggers for the run that follows. */
  #throttle({ request, triggers, owner, signal }: ReconcileContext, pause: number): ReconcileResult {
    this.#steps.pendingTriggers.putBack(request, triggers)
    this.#steps.engineEvents.recordThrottled({ owner, signal })
    return toResult({ kind: 'postponed', pause })
  }

  #skip({ request, memory, entry, owner }: ReconcileContext): ReconcileResult {
    memory.count(undefined)
    this.#emit({ request, outcome: 'skipped', changed: false, wroteStatus: false })
    return toResult({ kind: 'complete', period: periodOf({ entry, owner }) })
  }

  #count({ memory }: ReconcileContext, { outcome }: FinishedRun): void {
    const stop = outcome.stoppedBy?.outcome
    if (!stop) memory.count(undefined)
    else if (stop.kind === 'waiting') memory.count('waiting')
    else memory.count(stop.retriable ? 'retriable' : 'terminal')
  }

  #report(
    context: ReconcileContext,
    { outcome, objects, removed, changed, tracer, wroteStatus }: FinishedRun & { wroteStatus: boolean },
  ): void {
    const { request, list } = context
    const stop = outcome.stoppedBy?.outcome.kind
    const end = list === 'finalize' && stop !== 'failed' ? 'deleting' : (stop ?? 'complete')
    const ready = conditionsOf(context, outcome, objects.judged).Ready
    const children = objects.ensured.length
    const report = { request, outcome: end, ready, children, changed: changed || removed > 0, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(context, report, { ...this.#steps, tracer }) })
  }

  #emit(report: Report): void {
    this.#steps.onRun?.({ ...report, at: this.#steps.clock.now() })
  }
}

function tooDeeplyNested(): RunOutcome {
  const message = `cannot read the resource: it is nested more than ${MOST_LEVELS} levels deep (make it flatter)`
  const outcome = toFailedOutcome(new TaskFailure('ExpressionLimit', message))
  return { complete: false, stoppedBy: { task: 'resource', outcome }, tasks: [] }
}
