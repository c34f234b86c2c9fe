import { once } from '../../core/base/once.ts'
import { isTransient } from '../../core/kube/api-error.ts'
import { isTerminating } from '../../core/kube/finalizer.ts'
import { formatKey, formatObject } from '../../core/kube/object.ts'
import { LongTurnNeeded } from '../role/long-turn-needed.ts'
import { redactThrown } from '../role/redact-outcome.ts'
import { Secrecy } from '../role/secrecy.ts'
import type { RunOutcome } from '../role/task-outcome.ts'
import type { RequestCounter } from '../runtime/counting-client.ts'
import type { Turn } from '../runtime/long-turns.ts'
import {
  type ReconcileResult,
  type Reconciler,
  type Request,
  requestKey,
  type TimedOutRun,
} from '../runtime/reconciler.ts'
import { isOtherObject } from './apply/request-failure.ts'
import {
  type CleanupTools,
  cleanUpResource,
  type Deletion,
  failCleanup,
  mustFinalize,
  mustSettle,
  settlePropagation,
} from './deletion/deletion.ts'
import type { SeenDeletions } from './deletion/propagation.ts'
import { NamespaceRules, ownerOf } from './ownership/ownership.ts'
import type { FoundResource, WatchedResources } from './reconciler-ports.ts'
import { type Cause, DONE_BY_OTHERS, type OwnVersions, stoppedRun } from './run/own-loop.ts'
import { endOf, outcomeOfTimeout, toResult } from './run/requeue-policy.ts'
import { ResourceMemory } from './run/resource-memory.ts'
import {
  byId,
  type FinishedRun,
  type ReconcileContext,
  type RoleRunTools,
  runRoleOnce,
  traceOf,
  triggersOf,
} from './run/role-run.ts'
import { type GateTools, RunGates } from './run/run-gates.ts'
import { contentHash, periodOf } from './run/run-inputs.ts'
import type { StatusReport } from './status/status-report.ts'
import { conditionsOf, StatusWriter, writeRunStatus } from './status/status-writer.ts'
import type { PendingTriggers, RunListener, RunReport } from './trace/run-trace.ts'
import { RunTracer } from './trace/run-tracer.ts'

export interface RoleReconcilerSteps extends RoleRunTools, GateTools {
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

/** Brings one resource to the state that its role declares. Unaware of queues, informers and workers. */
export class RoleReconciler implements Reconciler {
  readonly #steps: RoleReconcilerSteps
  readonly #status: StatusWriter
  readonly #gates: RunGates
  readonly #memories = new Map<string, ResourceMemory>()
  /** By the signal of the call. */
  readonly #contexts = new WeakMap<AbortSignal, ReconcileContext>()

  constructor(steps: RoleReconcilerSteps) {
    this.#steps = steps
    this.#status = new StatusWriter(steps.resources, steps.statusReport, steps.engineEvents)
    this.#gates = new RunGates(steps, {
      status: this.#status,
      emit: (report) => this.#emit(report),
      cleanUp: (context, reason) => this.#cleanUp(context, reason),
    })
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

    const context = await this.#settled(this.#newContext(request, found, { signal, turn }))
    if ('result' in context) return context.result
    return (await this.#gates.pass(context)) ?? this.#runOrPostpone(context)
  }

  async #runOrPostpone(context: ReconcileContext): Promise<ReconcileResult> {
    const { pendingTriggers, ownVersions } = this.#steps
    const cause = await context.cause()
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
    memory.want(fingerprint)
    const { clock, pendingTriggers } = this.#steps
    const triggers = triggersOf(pendingTriggers.take(request), memory)
    const began = { at: clock.now(), monotonic: clock.monotonic() }
    const known = { request, entry, owner, rules, removalRules, fingerprint, list, memory, triggers, began } as const
    const cause = once(() => this.#causeOf(context))
    const context: ReconcileContext = { ...known, selection: found.kind, cause, underWay: {}, ...given }
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

  /** Of a resource that goes, what is to become of its children comes first: the garbage collector removes the traces. */
  async #settled(context: ReconcileContext): Promise<ReconcileContext | { readonly result: ReconcileResult }> {
    if (!mustSettle(context)) return context
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

  #count({ memory }: ReconcileContext, { outcome }: FinishedRun): void {
    const stop = outcome.stoppedBy?.outcome
    if (!stop) memory.count(undefined)
    else if (stop.kind === 'waiting') memory.count('waiting')
    else memory.countFailure(stop)
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

/**
 * Runs a role. If the run gives up because it computes for long, the request is queued as a long one, and its triggers are kept for
 * the next run.
 */
async function runOrPostpone(
  pendingTriggers: PendingTriggers,
  { request, triggers }: ReconcileContext,
  run: () => Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof LongTurnNeeded)) throw error
    pendingTriggers.putBack(request, triggers)
    return { needsLongTurn: true }
  }
}
