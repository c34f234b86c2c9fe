import type { Clock } from '../../core/base/clock.ts'
import type { Runnable } from './runnable.ts'

/** Milliseconds between two looks, and by how much one must be late to count. */
const PERIOD = 1_000
const LATE = 1_000
/** How many of the last looks count. */
const LOOKS = 10

/**
 * Notices when the event loop keeps others waiting. One long pause is no illness (a laptop that slept, a process that was
 * stopped for a while): a loop is starved when most of the last looks came late.
 */
export class EventLoopWatch implements Runnable {
  readonly name = 'event loop watch'
  readonly #clock: Clock
  #delays: readonly number[] = []
  #dueAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#dueAt = this.#clock.monotonic() + PERIOD
      await this.#clock.sleep(PERIOD, signal)
      this.#delays = [...this.#delays, this.#clock.monotonic() - this.#dueAt].slice(-LOOKS)
    }
  }

  get isStarved(): boolean {
    return this.#delays.filter((delay) => delay > LATE).length > LOOKS / 2
  }
}
