import type { Clock } from '../../core/base/clock.ts'
import type { Runnable } from './runnable.ts'

/** Milliseconds between two checks, and the delay from which a check counts as late. */
const PERIOD = 1_000
const LATE = 1_000
/** How many of the last checks count. */
const LOOKS = 10

/**
 * Notices that the event loop is blocked. One long pause is harmless (a laptop that slept, a process that was stopped). The loop counts as
 * starved if most of the last checks were late.
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
