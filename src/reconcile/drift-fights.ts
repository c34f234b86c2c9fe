import { backoffDelay } from '../base/backoff.ts'
import type { Clock } from '../base/clock.ts'
import { type JsonPath, printPath } from '../base/json.ts'

const WINDOW = 10 * 60_000
const TOLERATED = 5
const PAUSE = { base: 60_000, max: 30 * 60_000, jitter: 0 }

/** How often the fields of one object were put back, and until when that is given up. */
interface Fight {
  /** Times of corrections, by field. */
  readonly corrections: Map<string, number[]>
  rounds: number
  until: number
  field: string
}

/** A field that somebody else keeps changing back, and how long it is left alone. */
export interface GivenUp {
  readonly field: string
  readonly path: JsonPath
  readonly milliseconds: number
}

/**
 * Finds rivals: a field that is put back more than 5 times in 10 minutes is left alone for a minute, then for twice that,
 * up to half an hour. Kept in memory: after a restart a rival gets a new chance.
 */
export class DriftFights {
  readonly #clock: Clock
  readonly #fights = new Map<string, Fight>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Asks before fields of an object are put back. An answer means: leave it alone. */
  correct(uid: string, paths: readonly JsonPath[]): GivenUp | undefined {
    const now = this.#clock.monotonic()
    const fight: Fight = this.#fights.get(uid) ?? newFight()
    this.#fights.set(uid, fight)
    const fought = paths.find((path) => printPath(path) === fight.field)
    if (fought && fight.until > now) return { field: fight.field, path: fought, milliseconds: fight.until - now }
    for (const path of paths) {
      const field = printPath(path)
      const times = (fight.corrections.get(field) ?? []).filter((time) => now - time < WINDOW)
      fight.corrections.set(field, [...times, now])
      if (times.length < TOLERATED) continue
      fight.corrections.delete(field)
      return { field, path, milliseconds: this.#giveUp(fight, field) }
    }
    return undefined
  }

  /** The object is gone. */
  forget(uid: string): void {
    this.#fights.delete(uid)
  }

  #giveUp(fight: Fight, field: string): number {
    const milliseconds = backoffDelay(fight.rounds++, PAUSE)
    fight.until = this.#clock.monotonic() + milliseconds
    fight.field = field
    return milliseconds
  }
}

function newFight(): Fight {
  return { corrections: new Map(), rounds: 0, until: 0, field: '' }
}
