import { backoffDelay } from '../../../core/base/backoff.ts'
import type { Clock } from '../../../core/base/clock.ts'
import { evictOldest } from '../../../core/base/evict-oldest.ts'
import { type JsonPath, printPath } from '../../../core/base/json.ts'

const WINDOW = 10 * 60_000
const TOLERATED = 5
const PAUSE = { base: 60_000, max: 30 * 60_000, jitter: 0 }
/** A fight that begins so long after the last pause counts as a new one. */
const QUIET = 30 * 60_000
/** How many objects are remembered. The bound exists for objects whose deletion was never seen. */
const MOST_FIGHTS = 10_000

/** How often the fields of one object were put back, and until when the engine leaves one alone. */
interface Fight {
  /** Times of corrections, by field. */
  readonly corrections: Map<string, number[]>
  rounds: number
  until: number
  field: string
}

/** A field that another client keeps changing, and how long the engine leaves it alone. */
export interface GivenUp {
  readonly field: string
  readonly path: JsonPath
  readonly milliseconds: number
}

/**
 * Finds drift fights. A field that was put back more than 5 times in 10 minutes is left alone for a minute. The time doubles with each
 * further fight, up to half an hour, and starts at a minute again after half an hour without one. A restart forgets all fights.
 */
export class DriftFights {
  readonly #clock: Clock
  readonly #fights = new Map<string, Fight>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** To be called before fields of an object are put back. Returns the field to leave alone, if any. */
  check(uid: string, paths: readonly JsonPath[]): GivenUp | undefined {
    const now = this.#clock.monotonic()
    const fight = this.#fights.get(uid)
    if (!fight) return undefined
    const fought = paths.find((path) => printPath(path) === fight.field)
    if (fought && fight.until > now) return { field: fight.field, path: fought, milliseconds: fight.until - now }
    for (const path of paths) {
      const field = printPath(path)
      if (recent(fight.corrections.get(field), now).length < TOLERATED) continue
      fight.corrections.delete(field)
      return { field, path, milliseconds: this.#giveUp(fight, field) }
    }
    return undefined
  }

  /** Notes that fields of an object were put back. Writes that the server refused do not count. */
  count(uid: string, paths: readonly JsonPath[]): void {
    if (paths.length === 0) return
    const now = this.#clock.monotonic()
    const fight = this.#fights.get(uid) ?? this.#begin(uid)
    for (const path of paths) {
      const field = printPath(path)
      fight.corrections.set(field, [...recent(fight.corrections.get(field), now), now])
    }
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.#fights.delete(uid)
  }

  #begin(uid: string): Fight {
    evictOldest({ capacity: MOST_FIGHTS, known: this.#fights }, (oldest) => this.#fights.delete(oldest))
    const fight = newFight()
    this.#fights.set(uid, fight)
    return fight
  }

  #giveUp(fight: Fight, field: string): number {
    const now = this.#clock.monotonic()
    if (now - fight.until > QUIET) fight.rounds = 0
    const milliseconds = backoffDelay(fight.rounds++, PAUSE)
    fight.until = now + milliseconds
    fight.field = field
    return milliseconds
  }
}

function recent(times: readonly number[] = [], now: number): number[] {
  return times.filter((time) => now - time < WINDOW)
}

function newFight(): Fight {
  return { corrections: new Map(), rounds: 0, until: 0, field: '' }
}
