import { type Clock, systemClock } from '../../src/base/clock.ts'

interface Timer {
  readonly due: number
  readonly run: () => void
}

/** The time of a sandbox in which watches end when their script is over, however long or short that took. */
export class HeldClock implements Clock {
  readonly #held = new Set<Timer>()
  /** Of held timers; stands still until they are released. */
  #time = 0
  #holds = false

  now(): number {
    return systemClock.now()
  }

  monotonic(): number {
    return systemClock.monotonic()
  }

  sleep(milliseconds: number): Promise<void> {
    return systemClock.sleep(milliseconds)
  }

  schedule(milliseconds: number, run: () => void): () => void {
    if (!this.#holds) return systemClock.schedule(milliseconds, run)
    const timer = { due: this.#time + milliseconds, run }
    this.#held.add(timer)
    return () => this.#held.delete(timer)
  }

  /** Timers that are set until `done` is called wait. */
  holding<Result>(done: () => void, run: (done: () => void) => Result): Result {
    this.#holds = true
    return run(() => {
      this.#holds = false
      done()
    })
  }

  /** Runs the timers that wait, and those that they set, in the order of their times. */
  release(): void {
    this.#holds = true
    for (let next = this.#first(); next; next = this.#first()) {
      this.#held.delete(next)
      this.#time = next.due
      next.run()
    }
    this.#holds = false
  }

  #first(): Timer | undefined {
    return [...this.#held].sort((left, right) => left.due - right.due)[0]
  }
}
