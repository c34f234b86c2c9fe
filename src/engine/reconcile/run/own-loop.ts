import { AsyncLocalStorage } from 'node:async_hooks'
import { backoffDelay } from '../../../core/base/backoff.ts'
import { evictOldest } from '../../../core/base/evict-oldest.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { type RunOutcome, TaskFailure } from '../../role/task-outcome.ts'
import type { ObjectCaches } from '../reconciler-ports.ts'

const WINDOW = 60_000
const TOLERATED = 10
const PAUSE = { base: 10_000, max: 30 * 60_000, jitter: 0 }
/** Milliseconds without a loop after which the pauses start anew. */
const FORGIVEN = 10 * 60_000

/** Milliseconds in which the answer to a write comes that a watch has overtaken. */
const ANSWER = 1000

/** What the search for loops needs of a run. */
export interface LoopStep {
  /** A hash of the content of the resource and of the role. An edit of either ends a loop. */
  readonly fingerprint: string
  /** What caused it. */
  readonly cause: Cause
  /** The tasks that wrote, and the fields that were written. */
  readonly wrote: readonly string[]
}

/**
 * Finds a role that triggers itself. It does so if more than 10 runs in a minute wrote something although only our own writes had changed,
 * and each run ended a longer chain of such writes than the one before. Changes by others (a rollout, a person, a rival) never count, nor
 * what other resources write because of them. The pauses grow from 10 s to half an hour.
 */
export class OwnLoop {
  #fingerprint = ''
  #steps: readonly { readonly time: number; readonly chain: number }[] = []
  #rounds = 0
  #until = 0
  #failure: TaskFailure | undefined
  #isDoubted = false

  /** Counts a run. Returns the failure to report if the role is in a loop. */
  count({ fingerprint, cause, wrote }: LoopStep, now: number): TaskFailure | undefined {
    if (fingerprint !== this.#fingerprint) this.#begin(fingerprint)
    if (this.pause(fingerprint, now) > 0) return this.failure
    if (!cause.isOwnDoing || wrote.length === 0) return undefined
    const before = this.#steps.filter(({ time, chain }) => now - time < WINDOW && chain < cause.chain)
    this.#steps = [...before, { time: now, chain: cause.chain }]
    if (this.#steps.length <= TOLERATED) return undefined
    this.#steps = []
    if (now - this.#until > FORGIVEN) this.#rounds = 0
    this.#until = now + backoffDelay(this.#rounds++, PAUSE)
    const what = [...wrote].sort().join(', ')
    this.#failure = new TaskFailure(
      'NonDeterministic',
      `the role runs on its own output: each write changes ${what} again`,
    )
    return this.#failure
  }

  get failure(): TaskFailure | undefined {
    return this.#failure
  }

  /** Milliseconds for which our own writes do not trigger a run. */
  pause(fingerprint: string, now: number): number {
    return fingerprint === this.#fingerprint ? Math.max(0, this.#until - now) : 0
  }

  /**
   * Milliseconds that a run must wait. A change that seems to be made by others may be our own write, which a watch has delivered before its
   * answer. So the first such run waits for a moment, and the second one need not.
   */
  holdFor({ fingerprint, cause }: Pick<LoopStep, 'fingerprint' | 'cause'>, now: number): number {
    const pause = this.pause(fingerprint, now)
    this.#isDoubted = pause > 0 && !cause.isOwnDoing && !this.#isDoubted
    if (cause.isOwnDoing) return pause
    return this.#isDoubted ? Math.min(ANSWER, pause) : 0
  }

  #begin(fingerprint: string): void {
    this.#fingerprint = fingerprint
    this.#steps = []
    this.#rounds = 0
    this.#until = Number.NEGATIVE_INFINITY
    this.#failure = undefined
  }
}

/** The outcome of a run that is stopped for a loop: failed at the first task that wrote, or at the status. */
export function stoppedRun(outcome: RunOutcome, error: TaskFailure, retryAfter: number): RunOutcome {
  const task = outcome.tasks.find(({ kind }) => kind === 'changed')?.task ?? 'status'
  const failed = { kind: 'failed', reason: error.reason, error, retriable: false, retryAfter } as const
  return { ...outcome, complete: false, stoppedBy: { task, outcome: failed } }
}

/** How many versions are remembered. */
const CAPACITY = 20_000

/** What caused a run or a write. */
export interface Cause {
  /** Whether only our own writes have changed something since the last run. */
  readonly isOwnDoing: boolean
  /** How many of our own writes, each caused by the one before, led here since another client changed something. */
  readonly chain: number
}

export const DONE_BY_OTHERS: Cause = { isOwnDoing: false, chain: 0 }

/**
 * The latest versions of objects that our own writes made, each with the length of its chain of causes. It is 1 for what was written
 * because another client had changed something, 2 for what was written because of that, and so on.
 */
export class OwnVersions {
  readonly #chains = new Map<string, number>()
  readonly #running = new AsyncLocalStorage<() => Cause>()

  /**
   * The cause that new versions are for a run. Of several chains the shortest counts, since it may be the only one that matters. A version
   * of another client does not end a chain: it may be our own write whose answer has not arrived yet.
   */
  causeIn(news: readonly string[]): Cause {
    const own = news.map((version) => this.#chains.get(version)).filter((chain) => chain !== undefined)
    if (own.length === 0) return DONE_BY_OTHERS
    return { isOwnDoing: own.length === news.length, chain: own.reduce((least, chain) => Math.min(least, chain)) }
  }

  /** What `work` writes, also after it has waited, is one link longer than the chain that `cause` returns then. */
  during<T>(cause: () => Cause, work: () => Promise<T>): Promise<T> {
    return this.#running.run(cause, work)
  }

  /** Whether one of our own writes made this version of an object. */
  made(object: KubeObject): boolean {
    return this.#chains.has(versionOf(object))
  }

  add(version: string): void {
    // A write that changed nothing has made no new version.
    if (this.#chains.has(version)) return
    evictOldest({ capacity: CAPACITY, known: this.#chains }, (oldest) => this.#chains.delete(oldest))
    this.#chains.set(version, (this.#running.getStore()?.() ?? DONE_BY_OTHERS).chain + 1)
  }

  /** The same caches. What they hear of our own writes is remembered here. */
  recording(caches: ObjectCaches): ObjectCaches {
    return {
      child: (gvk, key) => caches.child(gvk, key),
      children: (gvk, uid) => caches.children(gvk, uid),
      get: (gvk, key) => caches.get(gvk, key),
      list: (gvk, query) => caches.list(gvk, query),
      metadata: (gvk, key) => caches.metadata(gvk, key),
      patched: (gvk) => caches.patched(gvk),
      sent: (object) => caches.sent(object),
      isUnanswered: (object) => caches.isUnanswered(object),
      wrote: (object) => {
        this.add(versionOf(object))
        caches.wrote(object)
      },
      removed: (gvk, key, uid) => {
        this.add(goneVersion(uid))
        caches.removed(gvk, key, uid)
      },
    }
  }
}

export function versionOf({ metadata }: KubeObject): string {
  return `${metadata.uid}/${metadata.resourceVersion}`
}

/** The version that stands for the deletion of an object. */
export function goneVersion(uid: string): string {
  return `${uid}/gone`
}
