import type { ObjectStore } from './object-store.ts'

/**
 * Wakes watches of a resource after it changed. Changes made in one go wake a watch once, so that it can send them
 * together.
 */
export class WatchHub {
  readonly #wakers = new Map<string, Set<() => void>>()
  readonly #changed = new Set<ReadonlySet<() => void>>()
  #scheduled = false

  constructor(store: ObjectStore) {
    store.subscribe(({ current }) => this.#noteChange(current.resource))
  }

  /** Calls `wake` after changes of a table. Returns how to stop. */
  add(table: string, wake: () => void): () => void {
    const wakers = this.#wakers.get(table) ?? new Set()
    this.#wakers.set(table, wakers.add(wake))
    return () => wakers.delete(wake)
  }

  #noteChange(table: string): void {
    const wakers = this.#wakers.get(table)
    if (!wakers?.size) return
    this.#changed.add(wakers)
    if (this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => this.#wakeAll())
  }

  #wakeAll(): void {
    this.#scheduled = false
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const wakers of changed) for (const wake of wakers) wake()
  }
}
