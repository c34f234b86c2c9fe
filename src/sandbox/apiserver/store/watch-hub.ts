import type { ResourceRegistry } from '../resource-registry.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Notifies the watches of a resource after a change, also of whether it is served. Changes made in one go notify a watch once, so that it can send them
 * together.
 */
export class WatchHub {
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #changed = new Set<ReadonlySet<() => void>>()
  #scheduled = false

  constructor(store: ObjectStore, registry: ResourceRegistry) {
    store.subscribe(({ current }) => this.#noteChange(current.resource))
    registry.subscribe((tables) => tables.forEach((table) => void this.#noteChange(table)))
  }

  /** Calls `listener` after changes of a table. Returns how to stop. */
  add(table: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(table) ?? new Set()
    this.#listeners.set(table, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  #noteChange(table: string): void {
    const listeners = this.#listeners.get(table)
    if (!listeners?.size) return
    this.#changed.add(listeners)
    if (this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => this.#notifyAll())
  }

  #notifyAll(): void {
    this.#scheduled = false
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const listeners of changed) for (const listener of listeners) listener()
  }
}
