import type { Clock } from '../../core/base/clock.ts'
import { Slots } from '../../core/base/slots.ts'

/** How many tasks of a second begin at once. */
const AT_ONCE = 20
/** How many of those that had to wait are under way at the same time. */
const AT_A_TIME = 8
/** Milliseconds without a new task after which a burst is over. */
const QUIET_MS = 500
/** Milliseconds that a task waits at most: some bursts do not end. */
const LONGEST_WAIT_MS = 10_000

/**
 * Puts off work that is not urgent until there is no more of it, so that a burst leaves the server to work that is. The first tasks of each
 * second begin at once: who looks at one resource sees its news at once.
 */
export class BurstDelay {
  readonly #clock: Clock
  readonly #slots = new Slots(AT_A_TIME)
  readonly #second = { began: Number.NEGATIVE_INFINITY, begun: 0 }
  #waiting: (() => Promise<void>)[] = []
  #oldest = 0
  #cancelTimer = (): void => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param task never rejects */
  add(task: () => Promise<void>): void {
    if (this.#waiting.length === 0 && this.#mayBegin()) void task()
    else this.#defer(task)
  }

  /** Begins all that waits, a few tasks at a time. */
  release(): void {
    this.#cancelTimer()
    for (const task of this.#waiting.splice(0)) void this.#begin(task)
  }

  #mayBegin(): boolean {
    const now = this.#clock.monotonic()
    const second = this.#second
    if (now - second.began >= 1_000) Object.assign(second, { began: now, begun: 0 })
    second.begun += 1
    return second.begun <= AT_ONCE
  }

  #defer(task: () => Promise<void>): void {
    const now = this.#clock.monotonic()
    if (this.#waiting.length === 0) this.#oldest = now
    this.#waiting.push(task)
    this.#cancelTimer()
    const left = this.#oldest + LONGEST_WAIT_MS - now
    this.#cancelTimer = this.#clock.schedule(Math.min(QUIET_MS, left), () => this.release())
  }

  async #begin(task: () => Promise<void>): Promise<void> {
    await this.#slots.take()
    await task()
    this.#slots.giveBack()
  }
}
