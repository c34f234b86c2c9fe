import type { Clock } from '../../../core/base/clock.ts'
import type { Condition } from '../../../core/kube/condition.ts'
import { redactOutcome } from '../../role/redact-outcome.ts'
import type { WaitPort } from '../../role/run-context.ts'
import { Secrecy } from '../../role/secrecy.ts'
import type { FailedOutcome } from '../../role/task-outcome.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import type { JudgedObject, WrittenObject } from '../apply/object-port.ts'
import type { Propagation } from '../deletion/propagation.ts'
import { DONE_BY_OTHERS, OwnLoop } from './own-loop.ts'
import type { RunInputs } from './run-inputs.ts'

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
  /** Whether a write of the status has failed although the server may have done it. */
  isStatusUnsure = false
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
  forRun(purpose: string, clock: Clock): RunWaits {
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
