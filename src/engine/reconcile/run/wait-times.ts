import type { Clock } from '../../../core/base/clock.ts'
import type { WaitPort } from '../../role/run-context.ts'

/** When the tasks of one resource began to wait. The times start anew after a restart. */
export class WaitTimes {
  readonly #since = new Map<string, number>()
  #purpose = ''

  /** The waits of a run. `purpose` identifies generation and role. With another one all times start anew. */
  forRun(purpose: string, clock: Clock): RunWaits {
    if (purpose !== this.#purpose) this.#since.clear()
    this.#purpose = purpose
    return new RunWaits(this.#since, clock.monotonic())
  }

  /** Forgets all times after a complete run: nothing waits. */
  clear(): void {
    this.#since.clear()
  }
}

/**
 * The waits of one run. The time of a task starts when the task first waits. Neither a temporary failure nor another waiting task gives it
 * more time.
 */
export class RunWaits implements WaitPort {
  readonly #since: Map<string, number>
  readonly #now: number
  #deadline: number | undefined

  constructor(since: Map<string, number>, now: number) {
    this.#since = since
    this.#now = now
  }

  /** Milliseconds until the next timeout, if a task waits. */
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
