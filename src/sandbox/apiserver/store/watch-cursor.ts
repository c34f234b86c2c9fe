import type { EventHistory } from './event-history.ts'
import type { StoredObject, StoreEvent, StoreEventType } from './stored-object.ts'

/** Which objects a watch shows. */
export interface WatchScope {
  /** `undefined`: all namespaces. */
  readonly namespace: string | undefined
  /** Absent: all objects. */
  readonly matches?: ((stored: StoredObject) => boolean) | undefined
}

export interface WatchStep {
  readonly type: StoreEventType
  readonly stored: StoredObject
}

/**
 * A reader of a resource's history at its own pace. It buffers nothing: one that is too slow finds that what it needs
 * next is forgotten.
 */
export class WatchCursor {
  readonly #history: EventHistory
  readonly #scope: WatchScope
  #position: number
  #revision: number

  /** Starts after `revision`. */
  constructor(history: EventHistory, revision: number, scope: WatchScope) {
    this.#history = history
    this.#scope = scope
    this.#position = history.after(revision)
    this.#revision = revision
  }

  /** Everything up to here has been read. */
  get revision(): number {
    return this.#revision
  }

  /** What comes next is forgotten: the watch must end. */
  get isLost(): boolean {
    return this.#position < this.#history.start
  }

  get atEnd(): boolean {
    return this.#position >= this.#history.end
  }

  /** The next change that the scope shows, or `undefined` when there is none yet. */
  next(): WatchStep | undefined {
    while (!this.isLost) {
      const event = this.#history.at(this.#position)
      if (!event) return undefined
      this.#position++
      this.#revision = event.revision
      const step = this.#show(event)
      if (step) return step
    }
    return undefined
  }

  /** To a client that sees only what matches, an object that stops matching is deleted, and one that starts is added. */
  #show({ type, revision, current, previous }: StoreEvent): WatchStep | undefined {
    const { namespace, matches } = this.#scope
    if (namespace !== undefined && current.namespace !== namespace) return undefined
    if (!matches) return { type, stored: current }
    const before = previous !== undefined && matches(previous)
    if (type === 'DELETED') return before ? { type, stored: current } : undefined
    const now = matches(current)
    if (now) return { type: before ? 'MODIFIED' : 'ADDED', stored: current }
    return before ? { type: 'DELETED', stored: asOf(previous, revision) } : undefined
  }
}

/** A state with the resourceVersion of the change that took it out of sight. */
function asOf(stored: StoredObject, revision: number): StoredObject {
  const metadata = { ...stored.object.metadata, resourceVersion: String(revision) }
  return { ...stored, revision, object: { ...stored.object, metadata } }
}
