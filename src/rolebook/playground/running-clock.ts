import { systemClock } from '../../core/base/clock.ts'
import { FakeClock } from '../../core/base/fake-clock.ts'

/** Milliseconds between two steps of a clock that runs. */
const STEP = 20

/** The clock of a cluster that a person looks at: it runs with the clock of the machine, can be stopped, and can be moved forward. */
export class RunningClock {
  readonly clock = new FakeClock(Math.round(systemClock.now()))
  #last = Math.round(systemClock.monotonic())
  #isRunning = true
  #turn: Promise<void> = Promise.resolve()
  #cancel = (): void => undefined

  constructor() {
    this.#tick()
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Resolves when the clock shows the time at which it stands, if it does. */
  setRunning(isRunning: boolean): Promise<void> {
    this.#isRunning = isRunning
    return this.advance(0)
  }

  /** Resolves when everything has fired that falls due on the way. */
  advance(milliseconds: number): Promise<void> {
    this.#turn = this.#turn.then(() => this.clock.advance(milliseconds))
    return this.#turn
  }

  stop(): void {
    this.#cancel()
  }

  #tick(): void {
    this.#cancel = systemClock.schedule(STEP, () => {
      const now = Math.round(systemClock.monotonic())
      const passed = this.#isRunning ? now - this.#last : 0
      this.#last = now
      void this.advance(passed).then(() => this.#tick())
    })
  }
}
