import type { Clock } from '../base/clock.ts'

/** Shut while a server has asked to be left alone; every request of that server passes through it. */
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

  /** Resolves when it is open or `signal` aborts. Those who waited pass spread over a moment, not all at once. */
  async pass(signal?: AbortSignal): Promise<void> {
    while (this.opensIn > 0 && !signal?.aborted) {
      await this.#clock.sleep(this.opensIn + this.#random() * MAX_SPREAD, signal)
    }
  }
}

const MAX_SPREAD = 200
