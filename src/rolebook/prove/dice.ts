import { seededRandom } from '../../sandbox/apiserver/faults/rule-counter.ts'

/** Choices that only depend on the seed. */
export class Dice {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  /** From 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  /** True in so many of a hundred calls. */
  percent(share: number): boolean {
    return this.#random() * 100 < share
  }

  /** @throws Error for an empty list */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to pick')
    return list[this.below(list.length)] as T
  }
}
