import { backoffDelay } from '../../../core/base/backoff.ts'
import { type RunOutcome, TaskFailure } from '../../role/task-outcome.ts'
import type { Cause } from './own-versions.ts'

const WINDOW = 60_000
const TOLERATED = 10
const PAUSE = { base: 10_000, max: 30 * 60_000, jitter: 0 }
/** Milliseconds without a loop after which the pauses start anew. */
const FORGIVEN = 10 * 60_000

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
