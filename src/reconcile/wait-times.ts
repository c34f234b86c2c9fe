import type { Clock } from '../base/clock.ts'
import type { WaitPort } from '../role/run-context.ts'

/** When the tasks of one resource first waited. Kept in memory: after a restart they begin anew. */
export class WaitTimes {
  readonly #since = new Map<string, number>()
  #purpose = ''

  /** For a run: `purpose` stands for the generation and the role. With another one all times begin anew. */
  forRun(purpose: string, clock: Clock): RunWaits {
    if (purpose !== this.#purpose) this.#since.clear()
    this.#purpose = purpose
    return new RunWaits(this.#since, clock.monotonic())
  }

  /** A run was complete: nothing waits. */
  clear(): void {
    this.#since.clear()
  }
}

/**
 * The waits of one run. A time runs from when the task first waited; a failure that passes, or another task that waits, does
 * not give it more.
 */
export class RunWaits implements WaitPort {
  readonly #since: Map<string, number>
  readonly #now: number
  #deadline: number | undefined

  constructor(since: Map<string, number>, now: number) {
    this.#since = since
    this.#now = now
  }

  /** Milliseconds after which the next time is up, if any runs. */
  get deadline(): number | undefined {
    return this.#deadline
  }

  left(place: string, timeout: number): number {
    const since = this.#since.get(place) ?? this.#now
    this.#since.set(place, since)
    const left = since + timeout - this.#now
    if (left > 0) this.#deadline = Math.min(left, this.#deadline ?? left)
    return left
  }

  over(place: string): void {
    this.#since.delete(place)
  }
}
