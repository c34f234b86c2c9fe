import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../../core/base/clock.ts'

/** Milliseconds without a run after which a process has nothing to do. */
const QUIET = 10_000
/** Runs that leave behind what is worth to be collected. */
const MANY = 100

/**
 * Collects garbage when many runs have ended and none follows: V8 does so when it needs room, and a process at rest needs
 * none, so that it would hold what its busiest minute took.
 */
export class IdleCollection {
  readonly #clock: Clock
  readonly #collect: () => void
  #runs = 0
  #lastRun = 0
  #isAwaiting = false

  /** `collect` defaults to that of `newCollector`. */
  constructor(clock: Clock, collect: () => void = newCollector()) {
    this.#clock = clock
    this.#collect = collect
  }

  /** A run has ended. */
  ran(): void {
    this.#runs++
    this.#lastRun = this.#clock.monotonic()
    if (this.#runs >= MANY && !this.#isAwaiting) this.#awaitQuiet(QUIET)
  }

  #awaitQuiet(milliseconds: number): void {
    this.#isAwaiting = true
    this.#clock.schedule(milliseconds, () => {
      const left = this.#lastRun + QUIET - this.#clock.monotonic()
      if (left > 0) return this.#awaitQuiet(left)
      this.#isAwaiting = false
      this.#runs = 0
      this.#collect()
    })
  }
}

/** V8's own `gc`, in full, with freed memory given back to the system. It is there for who asks for it. */
export function newCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: (options: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc')
  return () => gc({ type: 'major', flavor: 'last-resort' })
}
