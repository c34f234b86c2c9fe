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
import { type Deletion, mustFinalize } from './deletion.ts'
import { conditionsOfSpared, conditionsWhilePaused } from './engine-conditions.ts'
import { failLeaving, type LeaveTools, leaveResource } from './leave-resource.ts'
import { objectId } from './managed-objects.ts'
import { ownerOf } from './marks.ts'
import { NamespaceRules } from './namespace-rules.ts'
import { stoppedRun } from './own-loop.ts'
import { type Cause, DONE_BY_OTHERS, type OwnVersions } from './own-versions.ts'
import type { RequestCounter } from './request-counter.ts'
import { isOtherObject } from './request-failure.ts'
import { endOf, toResult } from './requeue-policy.ts'
import { contentHash } from './resource-content.ts'
import { ResourceMemory } from './resource-memory.ts'
import { isPaused, periodOf } from './resource-settings.ts'
import { byId, type FinishedRun, type RoleRunTools, runRoleOnce, type Visit } from './role-run.ts'
import { runOrPostpone } from './run-or-postpone.ts'
import type { RunListener, RunReport } from './run-report.ts'
import { RunTracer } from './run-tracer.ts'
import type { SeenDeletions } from './seen-deletions.ts'
import { mustSettle, settlePropagation } from './settle-propagation.ts'
import type { StatusReport } from './status-report.ts'
import { outcomeOfTimeout } from './timed-out-run.ts'
import { traceOf, wokenBy } from './trace-of-run.ts'
import { VisitStatus } from './visit-status.ts'
import type { Wakes } from './wakes.ts'
import type { FoundResource, WatchedResources } from './watch-entry.ts'
import { conditionsOf, writeRunStatus } from './write-run-status.ts'

export interface RoleReconcilerSteps extends RoleRunTools {
  readonly resources: WatchedResources
  readonly deletion: Deletion
  readonly seenDeletions: SeenDeletions
  readonly ownVersions: OwnVersions
  readonly wakes: Wakes
  readonly requests: RequestCounter
  readonly statusReport: StatusReport
  readonly onRun?: RunListener | undefined
}

type Report = Omit<RunReport, 'at'>

/** Brings one resource to the state that its role declares. Unaware of queues, informers and workers. */
export class RoleReconciler implements Reconciler {
  readonly #steps: RoleReconcilerSteps
  readonly #status: VisitStatus
  readonly #memories = new Map<string, ResourceMemory>()
  /** By the signal of the run. */
  readonly #visits = new WeakMap<AbortSignal, Visit>()

  constructor(steps: RoleReconcilerSteps) {
    this.#steps = steps
    this.#status = new VisitStatus(steps.resources, steps.statusReport, steps.engineEvents)
  }

  reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
    const secrecy = (): Secrecy => new Secrecy(this.#memories.get(requestKey(request))?.secrets)
    return this.#steps.secrecy.during(secrecy, () => this.#tried(request, signal, turn))
  }

  async timedOut(run: TimedOutRun, signal: AbortSignal): Promise<void> {
    const visit = this.#visits.get(run.run)
    if (!visit) return
    const { request, memory, owner, underWay } = visit
    const outcome = outcomeOfTimeout(run, underWay.tracer?.current)
    const list = isTerminating(owner.resource) ? 'finalize' : visit.list
    const conditions = conditionsOf({ ...visit, list }, outcome, [])
    const wroteStatus = await this.#status.writeConditions({ ...visit, signal }, conditions)
    if (run.isHung) return
    memory.completed = undefined
    memory.count('retriable')
    underWay.tracer?.giveUp(run.error)
    const report = { request, outcome: 'failed', ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(visit, report, { ...this.#steps, tracer: underWay.tracer }) })
  }

  /** Resolves when all events that were recorded are written, or `signal` aborts. */
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

  /** A status that was written on an old view, or a server that is away: nothing that a person should hear of. */
  #retry(error: unknown, signal: AbortSignal): ReconcileResult {
    if (signal.aborted) throw error
    if (!(isOtherObject(error) || isTransient(error))) throw redactThrown(error, this.#steps.secrecy)
    return toResult({ kind: 'retriable', retryAfter: (error.retryAfterSeconds ?? 0) * 1000 })
  }

  async #reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
    const found = await this.#steps.resources.find(request, signal)
    if (found.kind === 'gone') return this.#forgetGone(request)
    if (found.kind === 'expected') return { retry: true }

    const visit = await this.#settled(this.#visit(request, found, { signal, turn }), found.kind)
    if ('result' in visit) return visit.result
    if (isPaused(found.resource)) return this.#pause(visit)
    if (found.kind === 'spared') return this.#spare(visit)
    if (found.kind === 'left') return this.#leaveUnselected(visit)
    // No expression can be evaluated over it, those of `finalize` neither: the deletion goes on without.
    const isUnreadable = isCut(found.resource)
    if (isTerminating(found.resource) && (visit.list === 'tasks' || isUnreadable)) return this.#leave(visit, 'deleted')
    if (isUnreadable) return this.#refuseNesting(visit)
    const early = visit.memory.allowance.pause(this.#steps.clock.monotonic())
    if (early > 0) return this.#throttle(visit, early)
    if (await this.#isUnchanged(visit)) return this.#skip(visit)

    const cause = await this.#causeOf(visit)
    const pause = visit.memory.loop.pause(visit.fingerprint, this.#steps.clock.monotonic())
    if (cause().isOwnDoing && pause > 0) return toResult({ kind: 'postponed', pause })
    const { wakes, ownVersions } = this.#steps
    return runOrPostpone(wakes, visit, () => ownVersions.during(cause, () => this.#run(visit, cause)))
  }

  async #run(visit: Visit, cause: () => Cause): Promise<ReconcileResult> {
    // However it ends, also by an error: what was complete before is so no more.
    visit.memory.completed = undefined
    const run = await runRoleOnce(this.#steps, visit)
    visit.memory.lastInputs = run.inputs
    visit.memory.cause = cause()
    this.#count(visit, run)
    if (visit.list === 'finalize' && run.outcome.complete) return this.#finish(visit, run)
    const reported = await writeRunStatus(this.#status, visit, run)
    const { outcome, wroteStatus } = await this.#brake(visit, { ...run, ...reported, cause: cause() })
    const made = new Set(byId(run.objects.ensured).keys())
    const { attempts, withheld } = visit.memory
    // One whose status is withheld is not to be skipped when the time for it has come.
    visit.memory.completed = outcome.complete && withheld === 0 ? { inputs: run.inputs, made } : undefined
    this.#tell(visit, { ...run, outcome, wroteStatus })
    return toResult(endOf(outcome, { ...attempts, deadline: run.deadline, period: periodOf(visit), withheld }))
  }

  /** What led here since the last run. To be asked late: news of a write of ours may come before its answer. */
  async #causeOf({ memory, fingerprint, signal }: Visit): Promise<() => Cause> {
    try {
      const news = await memory.lastInputs?.news(fingerprint)
      if (!news) return () => DONE_BY_OTHERS
      // Where nothing has changed, it follows from the run before.
      const next = { isOwnDoing: true, chain: memory.cause.chain + 1 }
      return () => (news.length === 0 ? next : this.#steps.ownVersions.causeIn(news))
    } catch {
      // What can no longer be read is for a run to say.
      signal.throwIfAborted()
      return () => DONE_BY_OTHERS
    }
  }

  /** A role that keeps waking itself is stopped for a while. */
  async #brake(
    visit: Visit,
    { outcome, wroteStatus, cause, removed, ...run }: FinishedRun & { wroteStatus: boolean; cause: Cause },
  ): Promise<{ outcome: RunOutcome; wroteStatus: boolean }> {
    const { memory, fingerprint } = visit
    const now = this.#steps.clock.monotonic()
    const tasks = outcome.tasks.filter(({ kind }) => kind === 'changed').map(({ task }) => `task "${task}"`)
    const fields = wroteStatus ? memory.changedStatus.map((field) => `status.${field}`) : []
    const wrote = [...tasks, ...fields, ...(removed > 0 ? ['what it removes'] : [])]
    const error = memory.loop.count({ fingerprint, cause, wrote }, now)
    if (!error) return { outcome, wroteStatus }
    const retryAfter = memory.loop.pause(fingerprint, now)
    const stopped = stoppedRun(outcome, error, retryAfter)
    const conditions = conditionsOf(visit, stopped, run.objects.judged)
    return { outcome: stopped, wroteStatus: (await this.#status.writeConditions(visit, conditions)) || wroteStatus }
  }

  #visit(
    request: Request,
    found: Extract<FoundResource, { resource: unknown }>,
    given: Pick<Visit, 'signal' | 'turn'>,
  ): Visit {
    const { resource, entry } = found
    const owner = ownerOf(resource, entry.gvk)
    const rules = new NamespaceRules(owner.key.namespace, entry.allowedNamespaces)
    const removalRules = new NamespaceRules(owner.key.namespace, ...entry.allowedToKind)
    const fingerprint = `${contentHash(resource, entry.role.annotationsRead)} ${entry.hash}`
    const list = found.kind === 'selected' && mustFinalize({ owner, entry }) ? 'finalize' : 'tasks'
    const memory = this.#memoryOf(request, owner.uid)
    memory.want(fingerprint)
    const { clock, wakes } = this.#steps
    const woken = wokenBy(wakes.take(request), memory)
    const began = { at: clock.now(), monotonic: clock.monotonic() }
    const known = { request, entry, owner, rules, removalRules, fingerprint, list, memory, woken, began } as const
    const visit: Visit = { ...known, underWay: {}, ...given }
    this.#visits.set(given.signal, visit)
    return visit
  }

  #memoryOf(request: Request, uid: string): ResourceMemory {
    const known = this.#memories.get(requestKey(request))
    if (known?.uid === uid) return known
    this.#steps.objects.applier.forgetOwner(known?.uid)
    const memory = new ResourceMemory(uid)
    this.#memories.set(requestKey(request), memory)
    return memory
  }

  /** What woke it belongs to no run, and not to a new resource of its name either. */
  #forgetGone(request: Request): ReconcileResult {
    this.#steps.seenDeletions.forget(request)
    this.#steps.wakes.take(request)
    return this.#forget(request)
  }

  #forget(request: Request, emit = (report: Report): void => this.#emit(report)): ReconcileResult {
    this.#steps.objects.applier.forgetOwner(this.#memories.get(requestKey(request))?.uid)
    this.#memories.delete(requestKey(request))
    this.#steps.subscriptions.keep(request, [])
    emit({ request, outcome: 'gone', changed: false, wroteStatus: false })
    return toResult({ kind: 'gone' })
  }

  /** Nothing that the last complete run looked at is different, and nothing is there that it did not make. */
  async #isUnchanged({ memory: { completed }, fingerprint, owner, entry, signal }: Visit): Promise<boolean> {
    try {
      if (!completed || !(await completed.inputs.areUnchanged(fingerprint))) return false
      const inventory = await this.#steps.managedObjects.inventory(entry.role, { owner, signal })
      return inventory.every((one) => isTerminating(one) || completed.made.has(objectId(gvkOf(one), keyOf(one))))
    } catch {
      // What can no longer be read is for a run to say.
      signal.throwIfAborted()
      return false
    }
  }

  /** What its status says of its role is not true any more. That is all that is changed. */
  async #spare(visit: Visit): Promise<ReconcileResult> {
    const { request, owner } = visit
    const conditions = conditionsOfSpared()
    const saysReady = findCondition(conditionsIn(owner.resource), 'Ready') !== undefined
    const wroteStatus = saysReady && (await this.#status.writeConditions(visit, conditions))
    const report = { request, outcome: 'spared', ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(visit, report, this.#steps) })
    return {}
  }

  async #leaveUnselected(visit: Visit): Promise<ReconcileResult> {
    if (mustFinalize(visit)) this.#steps.engineEvents.tellFinalizeSkipped(visit)
    return this.#leave(visit, 'unselected')
  }

  async #leave(visit: Visit, reason: 'deleted' | 'unselected'): Promise<ReconcileResult> {
    const tools = this.#leaveTools(visit)
    return (await leaveResource(tools, visit, reason)) ?? this.#forget(visit.request, tools.emit)
  }

  #leaveTools(visit: Visit): LeaveTools {
    const { deletion, clock, engineEvents, logger } = this.#steps
    const { owner, memory, request, signal } = visit
    const secrecy = new Secrecy(memory.secrets)
    const tracer = new RunTracer(clock, secrecy)
    return {
      deletion,
      status: this.#status,
      emit: (report) => this.#emit({ ...report, trace: traceOf(visit, report, { ...this.#steps, tracer }) }),
      removed: (object) => tracer.removed(object),
      kept(objects) {
        engineEvents.tellKept(objects, { owner, secrecy, signal })
        const names = objects.map(formatObject).join(', ')
        logger.warn('objects stay: their resource may have been deleted with --cascade=orphan', {
          resource: formatKey(request),
          kind: request.kind,
          objects: secrecy.redact(names),
        })
      },
    }
  }

  /** Of a resource that goes, what is to become of its children comes first: the garbage collector removes the traces. */
  async #settled(
    visit: Visit,
    kind: 'selected' | 'left' | 'spared',
  ): Promise<Visit | { readonly result: ReconcileResult }> {
    if (!mustSettle(visit, kind)) return visit
    try {
      return (await settlePropagation(this.#steps, visit)) ?? { result: { retry: true } }
    } catch (error) {
      return { result: await failLeaving(this.#leaveTools(visit), visit, error) }
    }
  }

  /** The `finalize` tasks are done. What they say in the status stands there as long as the resource does. */
  async #finish(visit: Visit, run: FinishedRun): Promise<ReconcileResult> {
    const saysSomething = Object.keys(run.status.fields).length > 0
    if (saysSomething)
      await writeRunStatus(this.#status, visit, { ...run, outcome: { ...run.outcome, complete: false } })
    const { resources } = this.#steps
    const resource = resources.latest(visit.request, visit.owner.uid) ?? visit.owner.resource
    return this.#leave({ ...visit, owner: { ...visit.owner, resource } }, 'deleted')
  }

  async #pause(visit: Visit): Promise<ReconcileResult> {
    const { request, memory, owner } = visit
    memory.completed = undefined
    const conditions = conditionsWhilePaused(isTerminating(owner.resource))
    const wroteStatus = await this.#status.writeConditions(visit, conditions)
    const report = { request, outcome: 'paused', ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(visit, report, this.#steps) })
    return {}
  }

  async #refuseNesting(visit: Visit): Promise<ReconcileResult> {
    const { request, memory } = visit
    memory.completed = undefined
    memory.count('terminal')
    const outcome = tooDeeplyNested()
    const conditions = conditionsOf(visit, outcome, [])
    const wroteStatus = await this.#status.write(visit, { conditions, fields: {}, complete: false, isRun: true })
    const report = { request, outcome: 'failed', ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(visit, report, this.#steps) })
    return toResult(endOf(outcome, { ...memory.attempts, period: 0 }))
  }

  /** What woke it is left for the run that follows. */
  #throttle({ request, woken, owner, signal }: Visit, pause: number): ReconcileResult {
    this.#steps.wakes.putBack(request, woken)
    this.#steps.engineEvents.tellThrottled({ owner, signal })
    return toResult({ kind: 'postponed', pause })
  }

  #skip({ request, memory, entry, owner }: Visit): ReconcileResult {
    memory.count(undefined)
    this.#emit({ request, outcome: 'skipped', changed: false, wroteStatus: false })
    return toResult({ kind: 'complete', period: periodOf({ entry, owner }) })
  }

  #count({ memory }: Visit, { outcome }: FinishedRun): void {
    const stop = outcome.stoppedBy?.outcome
    if (!stop) memory.count(undefined)
    else if (stop.kind === 'waiting') memory.count('waiting')
    else memory.count(stop.retriable ? 'retriable' : 'terminal')
  }

  #tell(
    visit: Visit,
    { outcome, objects, removed, changed, tracer, wroteStatus }: FinishedRun & { wroteStatus: boolean },
  ): void {
    const { request, list } = visit
    const stop = outcome.stoppedBy?.outcome.kind
    const end = list === 'finalize' && stop !== 'failed' ? 'deleting' : (stop ?? 'complete')
    const ready = conditionsOf(visit, outcome, objects.judged).Ready
    const children = objects.ensured.length
    const report = { request, outcome: end, ready, children, changed: changed || removed > 0, wroteStatus } as const
    this.#emit({ ...report, trace: traceOf(visit, report, { ...this.#steps, tracer }) })
  }

  #emit(report: Report): void {
    this.#steps.onRun?.({ ...report, at: this.#steps.clock.now() })
  }
}

function tooDeeplyNested(): RunOutcome {
  const message = `the resource is nested more than ${MOST_LEVELS} levels deep: no role can read it (make it flatter)`
  const outcome = toFailedOutcome(new TaskFailure('ExpressionLimit', message))
  return { complete: false, stoppedBy: { task: 'resource', outcome }, tasks: [] }
}
