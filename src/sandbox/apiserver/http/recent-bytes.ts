/**
 * Bytes made of objects, for as long as they are asked for: at most about `capacity` bytes are kept, in two generations of
 * which the older one is forgotten when the newer one is full.
 */
export class RecentBytes {
  readonly #half: number
  #recent = new Map<object, Buffer>()
  #older = new Map<object, Buffer>()
  #size = 0

  constructor(capacity: number) {
    this.#half = capacity / 2
  }

  get(key: object): Buffer | undefined {
    const known = this.#recent.get(key)
    if (known) return known
    const older = this.#older.get(key)
    if (older) this.set(key, older)
    return older
  }

  set(key: object, bytes: Buffer): void {
    if (this.#size + bytes.length > this.#half) {
      this.#older = this.#recent
      this.#recent = new Map()
      this.#size = 0
    }
    this.#recent.set(key, bytes)
    this.#size += bytes.length
  }
}
