import { isTerminating } from '../../core/kube/finalizer.ts'
import { LongTurnNeeded } from '../role/run/long-turn-needed.ts'
import { redactThrown } from '../role/secrecy/redact-outcome.ts'
import { Secrecy } from '../role/secrecy/secrecy.ts'
import type { RunOutcome } from '../role/task-outcome.ts'
import type { RequestCounter } from '../runtime/counting-client.ts'
import type { Turn } from '../runtime/long-turns.ts'
import type { ReconcileResult, Reconciler, Request, TimedOutRun } from '../runtime/reconciler.ts'
import { quietRetryAfter } from './apply/request-failure.ts'
import { byId } from './apply/run-objects.ts'
import { Cleanup, type Deletion, type PropagationTools } from './deletion/deletion.ts'
import type { WatchedResources } from './reconciler-ports.ts'
import { type Cause, type OwnVersions, stoppedRun } from './run/own-loop.ts'
import { type ReconcileContext, ReconcileContexts } from './run/reconcile-context.ts'
import { decisiveStop, endOf, outcomeOfTimeout, toResult } from './run/requeue-policy.ts'
import { type GateTools, RunGates } from './run/run-gates.ts'
import { type FinishedRun, type RoleRunTools, runRoleOnce } from './run/run-role-once.ts'
import { conditionsOf, type StatusReport, StatusWriter, writeRunStatus } from './status/status-report.ts'
import type { PendingTriggers, RunListener } from './trace/run-trace.ts'
import { RunReports } from './trace/run-tracer.ts'

export interface RoleReconcilerSteps extends RoleRunTools, GateTools, PropagationTools {
  readonly resources: WatchedResources
  readonly deletion: Deletion
  readonly ownVersions: OwnVersions
  readonly requests: RequestCounter
  readonly statusReport: StatusReport
  readonly onRun?: RunListener | undefined
}

/** Brings one resource to the state that its role declares. Unaware of queues, informers and workers. */
export class RoleReconciler implements Reconciler {
  readonly #steps: RoleReconcilerSteps
  readonly #status: StatusWriter
  readonly #reports: RunReports
  readonly #cleanup: Cleanup
  readonly #gates: RunGates
  readonly #contexts: ReconcileContexts

  constructor(steps: RoleReconcilerSteps) {
    const { resources, statusReport, engineEvents, objects } = steps
    this.#steps = steps
    this.#status = new StatusWriter(resources, statusReport, engineEvents)
    this.#reports = new RunReports(steps)
    this.#cleanup = new Cleanup({
      ...steps,
      status: this.#status,
      reports: this.#reports,
      kept: (kept, context) => engineEvents.recordKept(kept, { ...context, secrecy: context.memory.newSecrecy() }),
    })
    this.#gates = new RunGates(steps, {
      status: this.#status,
      reports: this.#reports,
      cleanUp: (context, reason) => this.#cleanUp(context, reason),
    })
    this.#contexts = new ReconcileContexts({ ...steps, forgetOwner: (uid) => objects.applier.forgetOwner(uid) })
  }

  reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
    const secrecy = (): Secrecy => new Secrecy(this.#contexts.memoryOf(request)?.secrets)
    const { secrecy: redactor, spans } = this.#steps
    const work = (): Promise<ReconcileResult> => this.#tried(request, signal, turn)
    return redactor.during(secrecy, () => spans?.run({ request, secrecy: redactor }, work) ?? work())
  }

  async timedOut(run: TimedOutRun, signal: AbortSignal): Promise<void> {
    const context = this.#contexts.ofCall(run.run)
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
    this.#reports.emitTraced(context, report, underWay.tracer)
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
      this.#contexts.memoryOf(request)?.allowance.spend(requests.count(signal), clock.monotonic())
    }
  }

  #retry(error: unknown, signal: AbortSignal): ReconcileResult {
    if (signal.aborted) throw error
    const retryAfter = quietRetryAfter(error)
    if (retryAfter === undefined) throw redactThrown(error, this.#steps.secrecy)
    return toResult({ kind: 'retriable', retryAfter })
  }

  async #reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
    const found = await this.#steps.resources.find(request, signal)
    if (found.kind === 'gone') return this.#forgetGone(request)
    if (found.kind === 'expected') return { retry: true }

    const context = await this.#cleanup.settled(this.#contexts.begin(request, found, { signal, turn }))
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
    this.#steps.overwrites.forget(context.request)
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
    return toResult(endOf(outcome, { ...attempts, deadline: run.deadline, period: context.period, withheld }))
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

  /** Its triggers must not count for a new resource of the same name. */
  #forgetGone(request: Request): ReconcileResult {
    this.#steps.seenDeletions.forget(request)
    this.#steps.pendingTriggers.take(request)
    this.#forget(request)
    this.#reports.emit({ request, ...GONE })
    return toResult({ kind: 'gone' })
  }

  async #cleanUp(context: ReconcileContext, reason: 'deleted' | 'unselected'): Promise<ReconcileResult> {
    const { request } = context
    const tracer = this.#reports.newTracer(context)
    const blocked = await this.#cleanup.run(context, reason, tracer)
    if (blocked) return blocked
    this.#forget(request)
    this.#reports.emitTraced(context, { request, ...GONE }, tracer)
    return toResult({ kind: 'gone' })
  }

  #forget(request: Request): void {
    this.#contexts.forget(request)
    this.#steps.overwrites.forget(request)
    this.#steps.subscriptions.keep(request, [])
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
    const stop = decisiveStop(outcome)
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
    this.#reports.emitTraced(context, report, tracer)
  }
}

const GONE = { outcome: 'gone', changed: false, wroteStatus: false } as const

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
