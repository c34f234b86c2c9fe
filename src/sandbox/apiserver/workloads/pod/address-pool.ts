const FIRST = 5
const SIZE = 0x80000

/** Addresses of pods, from 10.200.0.0/13; one that is released is given again when all others were. */
export class AddressPool {
  readonly #taken: Set<string>
  #next = FIRST

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  take(): string {
    for (let attempt = 0; attempt < SIZE; attempt++) {
      const address = printAddress(this.#next)
      this.#next = this.#next + 1 >= SIZE ? FIRST : this.#next + 1
      if (this.#taken.has(address)) continue
      this.#taken.add(address)
      return address
    }
    return ''
  }

  release(address: string): void {
    this.#taken.delete(address)
  }
}

function printAddress(offset: number): string {
  return `10.${200 + (offset >> 16)}.${(offset >> 8) & 255}.${offset & 255}`
}
