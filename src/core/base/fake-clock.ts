import { type Clock, sleepOn } from './clock.ts'

interface Timer {
  readonly due: number
  readonly order: number
  readonly callback: () => void
}

/** A clock that stands still until it is moved. Timers fire in the order of their due times, equal ones in order of creation. */
export class FakeClock implements Clock {
  #wall: number
  #elapsed = 0
  #order = 0
  readonly #timers = new Set<Timer>()

  /** `start` is what `now()` says at first. Defaults to 2026-01-01T00:00:00Z. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#wall = start
  }

  now(): number {
    return this.#wall
  }

  monotonic(): number {
    return this.#elapsed
  }

  schedule(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.#elapsed + Math.max(0, milliseconds), order: this.#order++, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, milliseconds, signal)
  }

  /** How many timers have not fired yet. */
  get pending(): number {
    return this.#timers.size
  }

  /** Milliseconds until the next timer fires, or `undefined` when there is none. */
  get nextIn(): number | undefined {
    const next = this.#next()
    return next && next.due - this.#elapsed
  }

  /** Lets time pass: fires every timer that falls due, those set on the way included, and lets promises settle between. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds
    await this.settle()
    for (let timer = this.#next(); timer && timer.due <= end; timer = this.#next()) {
      this.#moveTo(timer.due)
      this.#timers.delete(timer)
      timer.callback()
      await this.settle()
    }
    this.#moveTo(end)
  }

  /** Moves to the next time at which timers are due and fires all of them, without letting anything happen between. */
  fireNext(): void {
    const first = this.#next()
    if (!first) return
    this.#moveTo(Math.max(first.due, this.#elapsed))
    for (let timer = this.#next(); timer && timer.due <= this.#elapsed; timer = this.#next()) {
      this.#timers.delete(timer)
      timer.callback()
    }
  }

  /** Lets time pass without firing anything. */
  pass(milliseconds: number): void {
    this.#moveTo(this.#elapsed + milliseconds)
  }

  /** Steps the wall clock, as a user or NTP may do; `monotonic()` and timers do not notice. */
  stepWallTime(milliseconds: number): void {
    this.#wall += milliseconds
  }

  /** Lets everything run that waits for no timer and no network. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  #moveTo(elapsed: number): void {
    this.#wall += elapsed - this.#elapsed
    this.#elapsed = elapsed
  }

  #next(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (!next || timer.due < next.due || (timer.due === next.due && timer.order < next.order)) next = timer
    }
    return next
  }
}
