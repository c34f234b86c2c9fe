import type { Clock } from '../base/clock.ts'

/** Shut while a server limits all requests; every one of them passes through it. */
export class ServerGate {
  readonly #clock: Clock
  readonly #random: () => number
  #opensAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, random: () => number = Math.random) {
    this.#clock = clock
    this.#random = random
  }

  /** Stays shut for at least `milliseconds` from now. */
  shutFor(milliseconds: number): void {
    this.#opensAt = Math.max(this.#opensAt, this.#clock.monotonic() + milliseconds)
  }

  /** Milliseconds until it opens; 0 when it is open. */
  get opensIn(): number {
    return Math.max(0, this.#opensAt - this.#clock.monotonic())
  }

  /** Whether it is open now, and `end` has not come. */
  isOpenBefore(end: number): boolean {
    return this.opensIn === 0 && this.#isBefore(end)
  }

  /**
   * Resolves to whether it opened before `end`, as soon as that is known or `signal` aborts. Those who waited pass spread
   * over a moment, not all at once, and it may be shut again meanwhile.
   */
  async pass(end: number, signal?: AbortSignal): Promise<boolean> {
    while (this.opensIn > 0 && this.#isBefore(end) && !signal?.aborted) {
      await this.#clock.sleep(this.opensIn + this.#random() * MAX_SPREAD, signal)
    }
    return this.#isBefore(end)
  }

  #isBefore(end: number): boolean {
    return this.#clock.monotonic() + this.opensIn < end
  }
}

const MAX_SPREAD = 200
