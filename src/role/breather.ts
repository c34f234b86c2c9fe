import type { Clock } from '../base/clock.ts'
import type { RunBudget } from '../expression/compile/run-budget.ts'

/** Milliseconds that runs may keep the event loop to themselves: the lease and the watches must not notice. */
const LONGEST_BREATH = 20

/**
 * Lets timers and sockets have their turn during runs that compute for long without waiting for anything.
 *
 * Evaluations are synchronous and bounded one by one, and those of one task together; a loop of a thousand of them is not,
 * nor are a hundred runs that begin at once.
 */
export class Breather {
  readonly #turns: Turns
  readonly #budget: Pick<RunBudget, 'renew'> | undefined

  /** @param budget what may be computed until the next breath */
  constructor(clock: Clock, budget?: Pick<RunBudget, 'renew'>) {
    this.#turns = turnsBy(clock)
    this.#turns.begin()
    this.#budget = budget
  }

  /** Resolves at once; when the last turn of the event loop is long ago, after another, in line with all that wait. */
  async breathe(): Promise<void> {
    this.#budget?.renew()
    await this.#turns.next()
  }
}

/** The turns of the event loop, which all runs share: a run that has waited for one gets it to itself. */
class Turns {
  readonly #clock: Clock
  /** When the first run of the present turn began. */
  #since: number | undefined
  #last: Promise<void> | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Somebody computes in the present turn. */
  begin(): number {
    if (this.#since === undefined) {
      this.#since = this.#clock.monotonic()
      setImmediate(() => {
        this.#since = undefined
      })
    }
    return this.#since
  }

  async next(): Promise<void> {
    if (this.#last === undefined && this.#clock.monotonic() - this.begin() < LONGEST_BREATH) return
    const turn = (this.#last ?? Promise.resolve()).then(() => new Promise<void>((resolve) => setImmediate(resolve)))
    this.#last = turn
    await turn
    if (this.#last === turn) this.#last = undefined
    this.begin()
  }
}

const turnsOfClocks = new WeakMap<Clock, Turns>()

function turnsBy(clock: Clock): Turns {
  const known = turnsOfClocks.get(clock) ?? new Turns(clock)
  turnsOfClocks.set(clock, known)
  return known
}
