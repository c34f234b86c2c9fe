import type { Clock } from '../../core/base/clock.ts'
import type { Chart, Release } from '../../core/kube/helm-chart.ts'

/** Milliseconds in which a rendering is done, as a rule. */
const PATIENCE = 2_000
/** Releases that are remembered to be slow. */
const SLOW_AT_MOST = 1_000

/**
 * Who renders when. Renderings of one chart take turns, so that a chart that never ends does not take every thread. One that
 * takes long steps aside, and what is known to take long runs aside from the start: there, all charts take turns.
 */
export class RenderTurns {
  readonly #clock: Clock
  readonly #lanes = new Map<string, Lane>()
  readonly #aside: Lane
  /** The last rendering of these took long. */
  readonly #slow = new Set<string>()

  /** @param aside how many renderings there may be aside at once */
  constructor(clock: Clock, aside: number) {
    this.#clock = clock
    this.#aside = new Lane(aside)
  }

  /** Does `work` when it is its turn. It calls `begin` when it renders, and no longer waits for a thread. */
  async take<T>(chart: Chart, release: Release, work: (begin: () => void) => Promise<T>): Promise<T> {
    const key = JSON.stringify([chart.id, release.namespace, release.name])
    if (this.#slow.has(key)) return this.#takeAside(key, work)
    const lane = this.#laneOf(chart)
    let leave = await lane.enter()
    let isOver = false
    let cancel = (): void => undefined
    const stepAside = async (): Promise<void> => {
      this.#remember(key)
      const leaveAside = await this.#aside.enter({ isUrgent: true })
      if (isOver) return leaveAside()
      leave()
      leave = leaveAside
    }
    const begin = (): void => {
      cancel = this.#clock.schedule(PATIENCE, () => void stepAside())
    }
    try {
      return await work(begin)
    } finally {
      isOver = true
      cancel()
      leave()
      if (lane.isEmpty && this.#lanes.get(chart.id) === lane) this.#lanes.delete(chart.id)
    }
  }

  async #takeAside<T>(key: string, work: (begin: () => void) => Promise<T>): Promise<T> {
    const leave = await this.#aside.enter()
    let begun = Number.POSITIVE_INFINITY
    const begin = (): void => {
      begun = this.#clock.monotonic()
    }
    try {
      return await work(begin)
    } finally {
      if (this.#clock.monotonic() - begun < PATIENCE) this.#slow.delete(key)
      leave()
    }
  }

  #laneOf({ id }: Chart): Lane {
    const lane = this.#lanes.get(id) ?? new Lane(1)
    this.#lanes.set(id, lane)
    return lane
  }

  #remember(key: string): void {
    this.#slow.add(key)
    if (this.#slow.size > SLOW_AT_MOST) this.#slow.delete(this.#slow.values().next().value as string)
  }
}

/** So many at a time, in the order of their arrival. */
class Lane {
  readonly #waiting: (() => void)[] = []
  readonly #width: number
  #length = 0

  constructor(width: number) {
    this.#width = width
  }

  /**
   * Resolves when there is room, to what makes room again.
   *
   * @param isUrgent before others that wait. Defaults to false.
   */
  async enter({ isUrgent = false } = {}): Promise<() => void> {
    if (this.#length < this.#width) this.#length++
    else {
      await new Promise<void>((resolve) => {
        if (isUrgent) this.#waiting.unshift(resolve)
        else this.#waiting.push(resolve)
      })
    }
    return () => this.#leave()
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#length--
  }
}
