import type { Clock } from '../../core/base/clock.ts'

/** Calls `onSilence` once if `touch` was not called for `milliseconds`. `touch` is cheap: it sets no timer. */
export class Watchdog {
  readonly #clock: Clock
  readonly #milliseconds: number
  readonly #onSilence: () => void
  #heardAt: number
  #cancel: () => void

  constructor(clock: Clock, milliseconds: number, onSilence: () => void) {
    this.#clock = clock
    this.#milliseconds = milliseconds
    this.#onSilence = onSilence
    this.#heardAt = clock.monotonic()
    this.#cancel = clock.schedule(milliseconds, () => this.#check())
  }

  touch(): void {
    this.#heardAt = this.#clock.monotonic()
  }

  stop(): void {
    this.#cancel()
  }

  #check(): void {
    const left = this.#heardAt + this.#milliseconds - this.#clock.monotonic()
    if (left > 0) this.#cancel = this.#clock.schedule(left, () => this.#check())
    else this.#onSilence()
  }
}
