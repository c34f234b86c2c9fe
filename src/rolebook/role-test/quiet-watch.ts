import { systemClock } from '../../core/base/clock.ts'
import type { FakeClock } from '../../core/base/fake-clock.ts'
import type { EngineTraffic } from './engine-traffic.ts'

export interface QuietOptions {
  readonly clock: FakeClock
  readonly traffic: EngineTraffic
  /** Resolves when the operator has nothing queued and nothing running. */
  idle(): Promise<void>
  /** Work that takes real time, however the clock stands. */
  readonly charts?: { readonly isBusy: boolean } | undefined
}

/** Milliseconds of the test's clock without a change, after which a test goes on: longer than any workload takes for a step. */
const QUIET_PERIOD = 10_000
/** Milliseconds of the test's clock after which objects that still change are taken to change for ever. */
const PATIENCE = 600_000
/** Turns of the event loop in which nothing happens. One is not enough: the network may just be bringing something. */
const QUIET_TURNS = 3
/** Turns of the event loop in which code that waited for the clock goes on. */
const EFFECT_TURNS = 2
/** The same while a request has no answer or the operator is not idle: what it waits for may be the clock. */
const STALLED_TURNS = 100
const STALLED_MS = 20

/** Moves the clock of a test, and sees when nothing happens any more. */
export class QuietWatch {
  readonly #options: QuietOptions
  #changedAt = 0
  #isIdle = false
  #asked: Promise<void> | undefined

  constructor(options: QuietOptions) {
    this.#options = options
  }

  /** Call it for each change of an object. */
  changed(): void {
    this.#changedAt = this.#options.clock.monotonic()
  }

  /** Another operator is at work: what the former one says counts no more. */
  restarted(): void {
    this.#asked = undefined
    this.#isIdle = false
  }

  /** Lets everything happen that follows from what has happened. False: objects would still change after ten minutes. */
  async untilQuiet(): Promise<boolean> {
    const { clock } = this.#options
    const begun = clock.monotonic()
    this.#changedAt = begun
    for (;;) {
      await this.#settle()
      const { nextIn } = clock
      if (nextIn === undefined || clock.monotonic() + nextIn > this.#changedAt + QUIET_PERIOD) return true
      if (clock.monotonic() - begun > PATIENCE) return false
      clock.fireNext()
    }
  }

  /** Lets so little time pass that work may be left: at 0, what is under way stays so. */
  async pass(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.advance(milliseconds)
    else for (let turn = 0; turn < EFFECT_TURNS; turn++) await nextTurn()
  }

  /** Lets time pass, step by step. */
  async advance(milliseconds: number): Promise<void> {
    const { clock } = this.#options
    const end = clock.monotonic() + milliseconds
    await this.#settle()
    for (let next = clock.nextIn; next !== undefined && clock.monotonic() + next <= end; next = clock.nextIn) {
      if (await this.#fireHasEffect()) await this.#settle()
    }
    clock.pass(end - clock.monotonic())
  }

  /** Fires what is due next. False: it causes no request and no change; most timers only see to it that watches live. */
  async #fireHasEffect(): Promise<boolean> {
    const { traffic, clock } = this.#options
    const before = traffic.activity
    clock.fireNext()
    for (let turn = 0; turn < EFFECT_TURNS && traffic.activity === before; turn++) await nextTurn()
    return traffic.activity !== before
  }

  /** Lets everything happen that does not wait for the clock. */
  async #settle(): Promise<void> {
    const { traffic, charts } = this.#options
    let seen = -1
    let turns = 0
    let since = 0
    for (;;) {
      this.#askIdle()
      if (traffic.activity !== seen || charts?.isBusy) {
        seen = traffic.activity
        turns = 0
        since = systemClock.monotonic()
      }
      await (charts?.isBusy ? systemClock.sleep(1) : nextTurn())
      turns += 1
      if (turns >= QUIET_TURNS && traffic.isCaughtUp && this.#isIdle && seen === traffic.activity) return
      if (turns >= STALLED_TURNS && systemClock.monotonic() - since >= STALLED_MS) return
    }
  }

  /** The answer counts for what had happened when it was asked for. */
  #askIdle(): void {
    const { traffic, idle } = this.#options
    const activity = traffic.activity
    if (this.#asked !== undefined) return
    this.#isIdle = false
    const asked: Promise<void> = idle().then(() => {
      if (this.#asked !== asked) return
      this.#asked = undefined
      this.#isIdle = activity === traffic.activity
    })
    this.#asked = asked
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
