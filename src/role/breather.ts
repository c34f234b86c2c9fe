import type { Clock } from '../base/clock.ts'
import type { RunBudget } from '../expression/compile/run-budget.ts'

/** Milliseconds that a run may keep the event loop to itself: the lease and the watches must not notice. */
const LONGEST_BREATH = 20

/**
 * Lets timers and sockets have their turn during a run that computes for long without waiting for anything.
 *
 * Evaluations are synchronous and bounded one by one, and those of one task together; a loop of a thousand of them is not.
 */
export class Breather {
  readonly #clock: Clock
  readonly #budget: Pick<RunBudget, 'renew'> | undefined
  #since: number

  /** @param budget what may be computed until the next breath */
  constructor(clock: Clock, budget?: Pick<RunBudget, 'renew'>) {
    this.#clock = clock
    this.#budget = budget
    this.#since = clock.monotonic()
  }

  /** Resolves at once, or after one turn of the event loop when the last one is long ago. */
  async breathe(): Promise<void> {
    this.#budget?.renew()
    if (this.#clock.monotonic() - this.#since < LONGEST_BREATH) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#since = this.#clock.monotonic()
  }
}
