/**
 * A queue of keys that is worked off soon, but never within the write that filled it, so that answers go out first. Each
 * key is in it at most once.
 */
export class DeferredWork<Key> {
  readonly #queue = new Set<Key>()
  readonly #work: (key: Key) => void
  readonly #onError: (error: unknown) => void
  #scheduled = false
  #stopped = false

  constructor(work: (key: Key) => void, onError: (error: unknown) => void) {
    this.#work = work
    this.#onError = onError
  }

  add(key: Key): void {
    this.#queue.add(key)
    if (this.#scheduled || this.#stopped) return
    this.#scheduled = true
    setImmediate(() => this.#run())
  }

  stop(): void {
    this.#stopped = true
    this.#queue.clear()
  }

  #run(): void {
    this.#scheduled = false
    let left = BATCH
    for (const key of this.#queue) {
      if (left-- === 0) break
      this.#queue.delete(key)
      this.#try(key)
    }
    const [next] = this.#queue
    if (next !== undefined) this.add(next)
  }

  #try(key: Key): void {
    try {
      this.#work(key)
    } catch (error) {
      this.#onError(error)
    }
  }
}

/** Keys worked off before others get a turn. */
const BATCH = 500
