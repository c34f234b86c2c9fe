import type { Clock } from '../base/clock.ts'

export interface RequestRateOptions {
  readonly clock: Clock
  /** Requests a second in the long run. */
  readonly perSecond: number
  /** Requests that may go at once after a rest. Defaults to those of two seconds, at least one. */
  readonly burst?: number | undefined
}

/** Holds requests back so that no more are sent than may be, in the order in which they came. */
export class RequestRate {
  readonly #clock: Clock
  /** Milliseconds from one request to the next. */
  readonly #interval: number
  /** Milliseconds by which a request may come before its turn. */
  readonly #tolerance: number
  /** Whose turn it is when all that came before are sent at the rate. */
  #turn = 0

  constructor({ clock, perSecond, burst = Math.max(1, Math.floor(2 * perSecond)) }: RequestRateOptions) {
    this.#clock = clock
    this.#interval = 1000 / perSecond
    this.#tolerance = (burst - 1) * this.#interval
  }

  /** Resolves to how many milliseconds it took until the request may be sent, or `signal` aborted. */
  async pass(signal?: AbortSignal): Promise<number> {
    const now = this.#clock.monotonic()
    const turn = Math.max(this.#turn, now)
    this.#turn = turn + this.#interval
    const wait = turn - this.#tolerance - now
    if (wait <= 0) return 0
    await this.#clock.sleep(wait, signal)
    return this.#clock.monotonic() - now
  }
}
