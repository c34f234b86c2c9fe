import { isTerminating } from '../../../core/kube/finalizer.ts'
import { isCut, MOST_LEVELS } from '../../../core/kube/nesting.ts'
import { idOf } from '../../../core/kube/object-id.ts'
import { toFailedOutcome } from '../../role/run/to-failed-outcome.ts'
import { type RunOutcome, TaskFailure } from '../../role/task-outcome.ts'
import type { ReconcileResult } from '../../runtime/reconciler.ts'
import { DriftFights } from '../apply/drift-fights.ts'
import type { EngineOptions } from '../engine-options.ts'
import type { ManagedObjects } from '../prune/managed-objects.ts'
import { conditionsWhilePaused, conditionsWithoutRole, type EngineConditions } from '../status/engine-conditions.ts'
import type { EngineEvents } from '../status/engine-events.ts'
import type { SeenOverwrites } from '../status/status-patch.ts'
import { conditionsOf, type StatusWriter } from '../status/status-report.ts'
import { type PendingTriggers, type RunReport, WITHOUT_ROLE } from '../trace/run-trace.ts'
import type { RunReports } from '../trace/run-tracer.ts'
import { mustFinalize, type ReconcileContext } from './reconcile-context.ts'
import { endOf, toResult } from './requeue-policy.ts'
import { isPaused } from './run-inputs.ts'

type GateResult = ReconcileResult | undefined

/** A result ends the call of the reconciler without a run; `undefined` lets it go on. */
export interface Gate {
  readonly name: string
  pass(context: ReconcileContext): GateResult | Promise<GateResult>
}

export interface GateTools extends Pick<EngineOptions, 'clock'> {
  readonly managedObjects: ManagedObjects
  readonly pendingTriggers: PendingTriggers
  readonly overwrites: SeenOverwrites
  readonly engineEvents: EngineEvents
}

/** What the reconciler does for a gate. */
export interface GateActions {
  readonly status: StatusWriter
  readonly reports: RunReports
  cleanUp(context: ReconcileContext, reason: 'deleted' | 'unselected'): Promise<ReconcileResult>
}

/** Decides whether the role of a resource has to run, and deals with a resource whose role does not. */
export class RunGates {
  readonly #tools: GateTools
  readonly #actions: GateActions
  readonly #fights: DriftFights
  /**
   * The order is part of the meaning: a paused resource keeps everything, even when it is deleted; and a resource that is
   * deleted is cleaned up however many requests it has made.
   */
  readonly gates: readonly Gate[] = [
    { name: 'paused', pass: (context) => this.#passPaused(context) },
    { name: 'without role', pass: (context) => this.#passWithoutRole(context) },
    { name: 'unselected', pass: (context) => this.#passUnselected(context) },
    { name: 'deleted', pass: (context) => this.#passDeleted(context) },
    { name: 'too deeply nested', pass: (context) => this.#passNested(context) },
    { name: 'too many requests', pass: (context) => this.#passThrottled(context) },
    { name: 'unchanged', pass: (context) => this.#passUnchanged(context) },
    { name: 'own loop', pass: (context) => this.#passLooping(context) },
  ]

  constructor(tools: GateTools, actions: GateActions) {
    this.#tools = tools
    this.#actions = actions
    this.#fights = new DriftFights(tools.clock)
  }

  /** The result of the first gate that is closed; `undefined`: the role has to run. */
  async pass(context: ReconcileContext): Promise<GateResult> {
    for (const gate of this.gates) {
      const result = await gate.pass(context)
      if (result) return result
    }
    return undefined
  }

  async #passPaused(context: ReconcileContext): Promise<GateResult> {
    const { memory, owner } = context
    if (!isPaused(owner.resource)) return undefined
    memory.completed = undefined
    const conditions = conditionsWhilePaused(isTerminating(owner.resource))
    const wroteStatus = await this.#actions.status.writeConditions(context, conditions)
    this.#emit(context, { outcome: 'paused', conditions, wroteStatus })
    return untilReported(context)
  }

  /** Says in the status that the resource has no role any more, and changes nothing else. */
  async #passWithoutRole(context: ReconcileContext): Promise<GateResult> {
    if (context.selection !== 'withoutRole') return undefined
    const conditions = conditionsWithoutRole()
    const wroteStatus = await this.#actions.status.replaceConditions(context, conditions)
    this.#emit(context, { outcome: WITHOUT_ROLE, conditions, wroteStatus })
    return untilReported(context)
  }

  #passUnselected(context: ReconcileContext): GateResult | Promise<GateResult> {
    if (context.selection !== 'unselected') return undefined
    if (mustFinalize(context)) this.#tools.engineEvents.recordFinalizeSkipped(context)
    return this.#actions.cleanUp(context, 'unselected')
  }

  /** Where no expression can be evaluated over the resource, the deletion goes on without its `finalize` tasks. */
  #passDeleted(context: ReconcileContext): GateResult | Promise<GateResult> {
    const { list, owner } = context
    const isDue = isTerminating(owner.resource) && (list === 'tasks' || isCut(owner.resource))
    return isDue ? this.#actions.cleanUp(context, 'deleted') : undefined
  }

  async #passNested(context: ReconcileContext): Promise<GateResult> {
    const { memory, owner } = context
    if (!isCut(owner.resource)) return undefined
    memory.completed = undefined
    memory.count('terminal')
    const outcome = tooDeeplyNested()
    const conditions = conditionsOf(context, outcome, [])
    const status = { conditions, fields: {}, complete: false, isRun: true }
    const wroteStatus = await this.#actions.status.write(context, status)
    this.#emit(context, { outcome: 'failed', conditions, wroteStatus })
    return toResult(endOf(outcome, { ...memory.attempts, period: 0 }))
  }

  /** Keeps the triggers for the run that follows. */
  #passThrottled({ request, triggers, owner, memory, signal }: ReconcileContext): GateResult {
    const { clock, pendingTriggers, engineEvents } = this.#tools
    const pause = memory.allowance.pause(clock.monotonic())
    if (pause === 0) return undefined
    pendingTriggers.putBack(request, triggers)
    engineEvents.recordThrottled({ owner, signal })
    return toResult({ kind: 'postponed', pause })
  }

  async #passUnchanged(context: ReconcileContext): Promise<GateResult> {
    if (!(await this.#isUnchanged(context))) return undefined
    const { request, memory, period } = context
    if (this.#tools.overwrites.has(request)) return this.#passOverwritten(context)
    memory.count(undefined)
    this.#actions.reports.emit({ request, outcome: 'skipped', changed: false, wroteStatus: false })
    return toResult({ kind: 'complete', period })
  }

  /** Lets the role run. A status that another client keeps overwriting is left alone for a while, as fields of objects are. */
  #passOverwritten({ request, triggers, owner }: ReconcileContext): GateResult {
    const givenUp = this.#fights.check(owner.uid, STATUS)
    if (!givenUp) {
      this.#fights.count(owner.uid, STATUS)
      return undefined
    }
    this.#tools.pendingTriggers.putBack(request, triggers)
    return toResult({ kind: 'postponed', pause: givenUp.milliseconds })
  }

  /** Keeps the triggers for the run that follows. */
  async #passLooping({ request, triggers, memory, fingerprint, cause }: ReconcileContext): Promise<GateResult> {
    const causeOf = await cause()
    const pause = memory.loop.holdFor({ fingerprint, cause: causeOf() }, this.#tools.clock.monotonic())
    if (pause === 0) return undefined
    this.#tools.pendingTriggers.putBack(request, triggers)
    return toResult({ kind: 'postponed', pause })
  }

  /** Nothing that the last complete run looked at is different, and nothing is there that it did not make. */
  async #isUnchanged({ memory: { completed }, fingerprint, owner, entry, signal }: ReconcileContext): Promise<boolean> {
    try {
      if (!completed || !(await completed.inputs.areUnchanged(fingerprint))) return false
      const inventory = await this.#tools.managedObjects.inventory(entry.role, { owner, signal })
      return inventory.every((one) => isTerminating(one) || completed.made.has(idOf(one)))
    } catch {
      // What can no longer be read is for a run to say.
      signal.throwIfAborted()
      return false
    }
  }

  #emit(
    context: ReconcileContext,
    { outcome, conditions, wroteStatus }: Pick<RunReport, 'outcome' | 'wroteStatus'> & { conditions: EngineConditions },
  ): void {
    const report = { request: context.request, outcome, ready: conditions.Ready, changed: false, wroteStatus } as const
    this.#actions.reports.emitTraced(context, report)
  }
}

/** Tries again, because no event reports that the right to write the status was granted, and the present status is wrong. */
function untilReported({ memory: { statusRefusals } }: ReconcileContext): ReconcileResult {
  return statusRefusals === 0 ? {} : toResult({ kind: 'forbidden', attempt: statusRefusals - 1 })
}

/** The place of a status in the record of fights. */
const STATUS = [['status']]

function tooDeeplyNested(): RunOutcome {
  const message = `cannot read the resource: it is nested more than ${MOST_LEVELS} levels deep (make it flatter)`
  const outcome = toFailedOutcome(new TaskFailure('ExpressionLimit', message))
  return { complete: false, stoppedBy: { task: 'resource', outcome }, tasks: [] }
}
