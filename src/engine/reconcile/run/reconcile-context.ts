import { once } from '../../../core/base/once.ts'
import type { Condition } from '../../../core/kube/condition.ts'
import { hasFinalizer, isTerminating } from '../../../core/kube/finalizer.ts'
import type { WaitPort } from '../../role/run/run-context.ts'
import { toFailedOutcome } from '../../role/run/to-failed-outcome.ts'
import { redactOutcome } from '../../role/secrecy/redact-outcome.ts'
import { Secrecy } from '../../role/secrecy/secrecy.ts'
import type { FailedOutcome } from '../../role/task-outcome.ts'
import type { Turn } from '../../runtime/long-turns.ts'
import { type Request, requestKey } from '../../runtime/reconciler.ts'
import type { WrittenObject } from '../apply/run-objects.ts'
import type { Propagation } from '../deletion/propagation.ts'
import type { EngineOptions } from '../engine-options.ts'
import { FINALIZED_ANNOTATION, FINALIZER, NamespaceRules, type Owner, ownerOf } from '../ownership/ownership.ts'
import type { FoundResource, WatchEntry } from '../reconciler-ports.ts'
import type { JudgedObject } from '../status/engine-conditions.ts'
import type { PendingTriggers, Trigger } from '../trace/run-trace.ts'
import type { RunTracer } from '../trace/run-tracer.ts'
import { type Cause, DONE_BY_OTHERS, OwnLoop, type OwnVersions } from './own-loop.ts'
import type { RunInputs } from './run-inputs.ts'
import { contentHash, periodOf } from './run-inputs.ts'

/** What one call of the reconciler works with: the resource as it was when the call began, its entry, and what is remembered of it. */
export interface ReconcileContext {
  readonly request: Request
  readonly entry: WatchEntry
  /** Whether the entry selects the resource still; `withoutRole`: a changed project has left it without an entry. */
  readonly selection: 'selected' | 'unselected' | 'withoutRole'
  readonly owner: Owner
  readonly rules: NamespaceRules
  /** Where objects of the resource may be removed. */
  readonly removalRules: NamespaceRules
  readonly memory: ResourceMemory
  /** What led here since the last run. Its answer is to be asked late: news of a write of ours may come before its answer. */
  readonly cause: () => Promise<() => Cause>
  /** What triggered it. */
  readonly triggers: readonly Trigger[]
  /** When the call began: milliseconds since 1970, and on the monotonic clock. */
  readonly began: { readonly at: number; readonly monotonic: number }
  /** A hash of the content of the resource and of the role. While it is the same, only a changed input is a reason for another run. */
  readonly fingerprint: string
  /** Which tasks of the role must run. */
  readonly list: 'tasks' | 'finalize'
  /** Absent: the run may compute as long as it needs. */
  readonly turn?: Turn | undefined
  /** Milliseconds until it is reconciled again at rest; 0 is never. */
  readonly period: number
  readonly signal: AbortSignal
  /** The trace of its tasks, once they run. */
  readonly underWay: { tracer?: RunTracer }
}

interface ContextTools extends Pick<EngineOptions, 'clock'> {
  readonly pendingTriggers: PendingTriggers
  readonly ownVersions: OwnVersions
  readonly overwrites: { has(request: Request): boolean }
  /** Called with the uid of a resource once nothing is remembered of it any more. */
  forgetOwner(uid: string | undefined): void
}

/** Makes the context of each call of the reconciler, and keeps what is remembered of each resource. */
export class ReconcileContexts {
  readonly #tools: ContextTools
  readonly #memories = new Map<string, ResourceMemory>()
  /** By the signal of the call. */
  readonly #contexts = new WeakMap<AbortSignal, ReconcileContext>()

  constructor(tools: ContextTools) {
    this.#tools = tools
  }

  /** The context of the call with this signal, once it has one. */
  ofCall(signal: AbortSignal): ReconcileContext | undefined {
    return this.#contexts.get(signal)
  }

  memoryOf(request: Request): ResourceMemory | undefined {
    return this.#memories.get(requestKey(request))
  }

  begin(
    request: Request,
    found: ResourceWithEntry,
    given: Pick<ReconcileContext, 'signal' | 'turn'>,
  ): ReconcileContext {
    const { resource, entry } = found
    const owner = ownerOf(resource, entry.gvk)
    const rules = new NamespaceRules(owner.key.namespace, entry.allowedNamespaces)
    const removalRules = new NamespaceRules(owner.key.namespace, ...entry.allowedToKind)
    const fingerprint = `${contentHash(resource, entry.role.annotationsRead)} ${entry.hash}`
    const list = found.kind === 'selected' && mustFinalize({ owner, entry }) ? 'finalize' : 'tasks'
    const memory = this.#currentMemory(request, owner.uid)
    memory.want(fingerprint)
    const { clock, pendingTriggers } = this.#tools
    const triggers = triggersOf(pendingTriggers.take(request), memory)
    const began = { at: clock.now(), monotonic: clock.monotonic() }
    const known = { request, entry, owner, rules, removalRules, fingerprint, list, memory, triggers, began } as const
    const cause = once(() => this.#causeOf(context))
    const period = periodOf({ entry, owner })
    const context: ReconcileContext = { ...known, selection: found.kind, cause, period, underWay: {}, ...given }
    this.#contexts.set(given.signal, context)
    return context
  }

  forget(request: Request): void {
    this.#tools.forgetOwner(this.memoryOf(request)?.uid)
    this.#memories.delete(requestKey(request))
  }

  #currentMemory(request: Request, uid: string): ResourceMemory {
    const known = this.memoryOf(request)
    if (known?.uid === uid) return known
    this.#tools.forgetOwner(known?.uid)
    const memory = new ResourceMemory(uid)
    this.#memories.set(requestKey(request), memory)
    return memory
  }

  /** What has caused this run. It is evaluated late, since the watch may deliver our own write before its answer arrives. */
  async #causeOf({ request, memory, fingerprint, signal }: ReconcileContext): Promise<() => Cause> {
    if (this.#tools.overwrites.has(request)) return () => DONE_BY_OTHERS
    try {
      const news = await memory.lastInputs?.news(fingerprint)
      if (!news) return () => DONE_BY_OTHERS
      // If nothing has changed, the run before is the cause.
      const next = { isOwnDoing: true, chain: memory.cause.chain + 1 }
      return () => (news.length === 0 ? next : this.#tools.ownVersions.causeIn(news))
    } catch {
      // A run will report what cannot be read any more.
      signal.throwIfAborted()
      return () => DONE_BY_OTHERS
    }
  }
}

type ResourceWithEntry = Extract<FoundResource, { resource: unknown }>

/** The triggers of a run that is about to begin. If there are none, a timer has triggered it. */
export function triggersOf(
  noted: readonly Trigger[],
  { attempts, withheld }: Pick<ResourceMemory, 'attempts' | 'withheld'>,
): readonly Trigger[] {
  if (noted.length > 0) return noted
  if (attempts.retriable + attempts.terminal > 0) return [{ kind: 'retry' }]
  return [{ kind: attempts.waiting > 0 || withheld > 0 ? 'wait' : 'period' }]
}

interface FinalizeContext {
  readonly owner: Owner
  readonly entry: Pick<WatchEntry, 'role'>
}

/** Whether `finalize` tasks must still run before any object of the resource is removed. */
export function mustFinalize({ owner: { resource, uid }, entry }: FinalizeContext): boolean {
  if (entry.role.finalize === undefined || !isTerminating(resource) || !hasFinalizer(resource, FINALIZER)) return false
  return resource.metadata.annotations?.[FINALIZED_ANNOTATION] !== uid
}

export interface CompletedRun {
  readonly inputs: RunInputs
  /** Ids of the objects that it made. */
  readonly made: ReadonlySet<string>
}

/** After how many runs a failure that may pass is shown in the status. */
const HIDDEN_FAILURES = 3

/** What is remembered of one resource between its runs. All of it may be lost in a restart. */
export class ResourceMemory {
  readonly uid: string
  /** Texts of Secrets that the last run has seen. */
  secrets: ReadonlySet<string> = new Set()
  /** The last complete run. A run with the same inputs would only repeat it. */
  completed: CompletedRun | undefined
  /** What the last run read, no matter how it ended. */
  lastInputs: RunInputs | undefined
  /** The `Ready` condition that was reported last. */
  reportedReady: Condition | undefined
  /** What caused the last run. */
  cause = DONE_BY_OTHERS
  readonly loop = new OwnLoop()
  readonly allowance = new RequestAllowance()
  /** Fields of the status that the last write changed. */
  changedStatus: readonly string[] = []
  /** How many runs in a row ended in a wait, a terminal failure, a failure that may pass. */
  readonly attempts = { waiting: 0, terminal: 0, retriable: 0 }
  /** The hash of a status patch that the server accepted without effect. */
  refusedStatus: string | undefined
  /** How many runs in a row were forbidden to write the status. */
  statusRefusals = 0
  /** Types of the conditions that `status` tasks have set and that may still exist; absent while they are not known. */
  taskConditions: ReadonlySet<string> | undefined
  /** The foreign objects in which we may hold fields, by id; absent while they are not known. */
  patched: ReadonlyMap<string, WrittenObject> | undefined
  /** Ids of the objects that may exist, in the order of the tasks that made them, as far as it is known. */
  made: readonly string[] = []
  /** The policy of its deletion, once it is known. */
  propagation: Propagation | undefined
  readonly waits = new WaitTimes()
  readonly unobserved = new UnobservedChildren()
  /** Milliseconds until the status of the last run must be written; 0 if it was written. */
  withheld = 0
  #wanted: string | undefined
  /** The reason of the last terminal failure. */
  #reason: string | undefined

  constructor(uid: string) {
    this.uid = uid
  }

  /** With the secrets of the last run. */
  newSecrecy(): Secrecy {
    return new Secrecy(this.secrets)
  }

  /** Whether the last failure is not shown in the status yet, since it may still pass. */
  get hidesFailure(): boolean {
    const { retriable } = this.attempts
    return retriable > 0 && retriable < HIDDEN_FAILURES
  }

  /** Notes what a run has made. It comes before what only former runs have made. */
  recordMade(ids: Iterable<string>): void {
    this.made = [...new Set([...ids, ...this.made])]
  }

  /** What failed or waited before an edit of the resource or its role says nothing of what is wanted now. */
  want(fingerprint: string): void {
    if (this.#wanted !== fingerprint) Object.assign(this.attempts, { waiting: 0, terminal: 0 })
    this.#wanted = fingerprint
  }

  /** Counts how a run ended. A terminal failure for another reason than the one before is the first of its own. */
  count(end: keyof ResourceMemory['attempts'] | undefined, reason?: string): void {
    if (reason !== this.#reason) this.attempts.terminal = 0
    this.#reason = reason
    for (const name of ['waiting', 'terminal', 'retriable'] as const) {
      this.attempts[name] = name === end ? this.attempts[name] + 1 : 0
    }
  }

  countFailure({ retriable, reason }: Pick<FailedOutcome, 'retriable' | 'reason'>): void {
    if (retriable) this.count('retriable')
    else this.count('terminal', reason)
  }
}

/** The outcome that an error outside of tasks stands for, with the secrets of the last run redacted. */
export function failureOf(error: unknown, { secrets }: Pick<ResourceMemory, 'secrets'>): FailedOutcome {
  return redactOutcome(toFailedOutcome(error), new Secrecy(secrets))
}

/** When the tasks of one resource began to wait. The times start anew after a restart. */
export class WaitTimes {
  readonly #since = new Map<string, number>()
  #purpose = ''

  /** The waits of a run. `purpose` identifies generation and role. With another one all times start anew. */
  forRun(purpose: string, clock: EngineOptions['clock']): RunWaits {
    if (purpose !== this.#purpose) this.#since.clear()
    this.#purpose = purpose
    return new RunWaits(this.#since, clock.monotonic())
  }

  /** Forgets all times after a complete run: nothing waits. */
  clear(): void {
    this.#since.clear()
  }
}

/**
 * The waits of one run. The time of a task starts when the task first waits. Neither a temporary failure nor another waiting task gives it
 * more time.
 */
export class RunWaits implements WaitPort {
  readonly #since: Map<string, number>
  readonly #now: number
  #deadline: number | undefined

  constructor(since: Map<string, number>, now: number) {
    this.#since = since
    this.#now = now
  }

  /** Milliseconds until the next timeout, if a task waits. */
  get deadline(): number | undefined {
    return this.#deadline
  }

  left(place: string, timeout: number): number {
    const since = this.#since.get(place) ?? this.#now
    this.#since.set(place, since)
    const left = since + timeout - this.#now
    if (left > 0) this.#deadline = Math.min(left, this.#deadline ?? left)
    return left
  }

  over(place: string): void {
    this.#since.delete(place)
  }
}

/** Milliseconds. A running controller sees a change within about 30. */
const PATIENCE = 2_000

/**
 * Since when the controllers of children have not observed them, by uid. A child that changes again meanwhile gets no more time. The times
 * start anew after a restart.
 */
export class UnobservedChildren {
  #since: ReadonlyMap<string, number> = new Map()

  /** Milliseconds until a child has been unobserved for too long; 0 if one has, or if all were observed. */
  left(judged: readonly JudgedObject[], now: number): number {
    const uids = judged
      .filter(({ readiness }) => readiness.kind === 'unobserved')
      .map(({ object }) => object.metadata.uid ?? '')
    this.#since = new Map(uids.map((uid) => [uid, this.#since.get(uid) ?? now]))
    if (this.#since.size === 0) return 0
    return Math.max(0, Math.min(...this.#since.values()) + PATIENCE - now)
  }
}

/** How many requests a resource may make at once: twice as many as the first run of a resource with the most objects. */
const MOST = 10_000
/** How many requests it gets back each second, as most clients of Kubernetes do. */
const PER_SECOND = 50

/** Limits the requests for one resource, so that a resource that is edited all the time leaves others their share. */
export class RequestAllowance {
  #left = MOST
  #since = 0

  /** Notes the requests of a run. A run is never stopped in the middle; if it made too many, the next one waits. */
  spend(requests: number, now: number): void {
    this.#left = this.#leftAt(now) - requests
    this.#since = now
  }

  /** Milliseconds until the next run may begin. */
  pause(now: number): number {
    return Math.max(0, (-this.#leftAt(now) * 1000) / PER_SECOND)
  }

  #leftAt(now: number): number {
    return Math.min(MOST, this.#left + ((now - this.#since) * PER_SECOND) / 1000)
  }
}
