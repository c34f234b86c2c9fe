import type { StoreEvent } from './stored-object.ts'

/** The latest changes of one resource, oldest first. What falls out at the far end can no longer be watched from. */
export class EventHistory {
  readonly #capacity: number
  #events: (StoreEvent | undefined)[] = []
  /** How many events were dropped from `#events` in all. */
  #dropped = 0
  #head = 0
  #floor: number

  /** `floor`: the revision from which on everything is known. */
  constructor(capacity: number, floor: number) {
    this.#capacity = capacity
    this.#floor = floor
  }

  /** Changes after this revision are all here; a reader that has seen less must list again. */
  get floor(): number {
    return this.#floor
  }

  /** The position after the newest event. */
  get end(): number {
    return this.#dropped + this.#events.length
  }

  /** The position of the oldest event. */
  get start(): number {
    return this.#dropped + this.#head
  }

  append(event: StoreEvent): void {
    this.#events.push(event)
    if (this.#events.length - this.#head > this.#capacity) this.#forgetOldest()
  }

  /** The event at a position between `start` and `end`. */
  at(position: number): StoreEvent | undefined {
    return this.#events[position - this.#dropped]
  }

  /** Position of the first event after a revision. */
  after(revision: number): number {
    let low = this.#head
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#revisionAt(middle) <= revision) low = middle + 1
      else high = middle
    }
    return this.#dropped + low
  }

  /** Forgets everything up to a revision, as a compaction does. */
  compact(revision: number): void {
    while (this.#head < this.#events.length && this.#revisionAt(this.#head) <= revision) {
      this.#forgetOldest()
    }
    this.#floor = Math.max(this.#floor, revision)
  }

  /** Of an event that is remembered. */
  #revisionAt(index: number): number {
    return (this.#events[index] as StoreEvent).revision
  }

  #forgetOldest(): void {
    this.#floor = this.#revisionAt(this.#head)
    this.#events[this.#head++] = undefined
    if (this.#head <= this.#capacity) return
    this.#events = this.#events.slice(this.#head)
    this.#dropped += this.#head
    this.#head = 0
  }
}
