import type { Clock } from '../../../core/base/clock.ts'
import type { RunBudget } from '../../expression/compile/run-budget.ts'

/**
 * Milliseconds for which runs may hold the event loop. A longer time would delay the lease, the watches, and edits, which pass the loop
 * a few times on their way (`npm run bench:edits`).
 */
const TIME_SLICE = 5

/**
 * Yields to the event loop, so that timers and sockets are served during runs that compute for long.
 *
 * Each evaluation is bounded, and so are the evaluations of one task together. A loop of a thousand tasks is not, nor are a hundred runs
 * that begin at once.
 */
export class EventLoopYield {
  readonly #turns: Turns
  readonly #budget: Pick<RunBudget, 'renew'> | undefined

  /** @param budget what may be computed until the next `yield` */
  constructor(clock: Clock, budget?: Pick<RunBudget, 'renew'>) {
    this.#turns = turnsBy(clock)
    this.#turns.begin()
    this.#budget = budget
  }

  /** Resolves at once while the time slice lasts. After it, it resolves in the next turn of the event loop, one run per turn. */
  async yield(): Promise<void> {
    this.#budget?.renew()
    await this.#turns.next()
  }
}

/** The turns of the event loop, which all runs share. A run that has waited for a turn gets it to itself. */
class Turns {
  readonly #clock: Clock
  /** When the first run of the present turn began. */
  #since: number | undefined
  #last: Promise<void> | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes that a run computes in the present turn. Returns when the first one began. */
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
    if (this.#last === undefined && this.#clock.monotonic() - this.begin() < TIME_SLICE) return
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
