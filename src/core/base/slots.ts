/** Bounds how much of some work is done at the same time. What has to wait begins in the order in which it came. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Takes a slot. `undefined`: it was free; else the caller has it once the promise resolves. Each one is to be given back. */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free--
    return undefined
  }

  giveBack(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
