import type { Clock } from '../base/clock.ts'

/** Milliseconds that a run may keep the event loop to itself: the lease and the watches must not notice. */
const LONGEST_BREATH = 20

/**
 * Lets timers and sockets have their turn during a run that computes for long without waiting for anything.
 *
 * Evaluations are synchronous and bounded one by one; a loop of a thousand of them is not.
 */
export class Breather {
  readonly #clock: Clock
  #since: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.monotonic()
  }

  /** Resolves at once, or after one turn of the event loop when the last one is long ago. */
  async breathe(): Promise<void> {
    if (this.#clock.monotonic() - this.#since < LONGEST_BREATH) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#since = this.#clock.monotonic()
  }
}
