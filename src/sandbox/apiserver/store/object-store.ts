import type { KubeObject } from '../../../core/kube/object.ts'
import type { Journal, KeptChange, KeptObject, StoreState } from './journal.ts'
import { ResourceTable } from './resource-table.ts'
import type { StoredObject, StoreEvent, StoreEventType } from './stored-object.ts'

export type StoreListener = (event: StoreEvent) => void

/**
 * All objects of the server: one table a resource, one counter for all of them.
 *
 * It knows neither kinds nor rules: the caller has checked what it writes. A resource is named by its group and plural
 * (`apps/deployments`, `/pods`), because all versions of a kind are views of the same objects.
 */
export class ObjectStore {
  readonly #historySize: number
  readonly #tables = new Map<string, ResourceTable>()
  readonly #listeners = new Set<StoreListener>()
  readonly #undelivered: StoreEvent[] = []
  readonly #journal: Journal | undefined
  #delivering = false
  #revision = 1
  /** Every change after this revision is known. */
  #floor = 1

  /** `historySize`: how many changes a resource remembers. Defaults to 10,000. */
  constructor(historySize = 10_000, journal?: Journal) {
    this.#historySize = historySize
    this.#journal = journal
    if (journal) this.#restore(journal)
  }

  /** The revision of the newest change. */
  get revision(): number {
    return this.#revision
  }

  get(resource: string, namespace: string, name: string): StoredObject | undefined {
    return this.#tables.get(resource)?.get(namespace, name)
  }

  table(resource: string): ResourceTable {
    const existing = this.#tables.get(resource)
    if (existing) return existing
    const table = new ResourceTable(this.#historySize, this.#floor)
    this.#tables.set(resource, table)
    return table
  }

  resources(): Iterable<string> {
    return this.#tables.keys()
  }

  /** Creates or replaces; the object gets the next resourceVersion. */
  put(resource: string, object: KubeObject): StoredObject {
    const { name = '', namespace = '' } = object.metadata
    const previous = this.get(resource, namespace, name)
    return this.#commit(previous ? 'MODIFIED' : 'ADDED', { resource, object, previous })
  }

  /** Removes an object, and returns its last state with the resourceVersion of the removal. */
  remove(stored: StoredObject, lastState: KubeObject = stored.object): StoredObject {
    return this.#commit('DELETED', { resource: stored.resource, object: lastState, previous: stored })
  }

  /** Forgets all changes up to now: who comes back with an older version must list again. */
  compact(): void {
    this.#floor = this.#revision
    for (const table of this.#tables.values()) table.history.compact(this.#revision)
  }

  /** Reports every change after it is visible, in order. A change made by a listener is reported after the present one. */
  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reports all objects to the listeners as if they were new, oldest first: for a start with kept objects. */
  announce(): void {
    const { objects } = this.state()
    for (const current of [...objects].sort((left, right) => left.revision - right.revision)) {
      this.#deliver({ type: 'ADDED', revision: current.revision, current, previous: undefined })
    }
  }

  state(): StoreState {
    return { revision: this.#revision, objects: [...this.#tables.values()].flatMap((table) => table.list()) }
  }

  #restore(journal: Journal): void {
    const { revision, objects, changes } = journal.kept
    this.#revision = this.#floor = Math.max(1, revision)
    for (const kept of objects) this.table(kept.resource).load(storedOf(kept))
    for (const change of changes) this.#replay(change)
    journal.open(() => this.state())
  }

  #replay(change: KeptChange): void {
    const { type, revision, resource } = change
    const current = { ...storedOf(change), revision }
    const previous = this.get(resource, current.namespace, current.name)
    this.#revision = revision
    this.table(resource).commit({ type, revision, current, previous })
  }

  #commit(type: StoreEventType, change: Change): StoredObject {
    const revision = this.#revision + 1
    const { resource, object, previous } = change
    const { name = '', namespace = '' } = object.metadata
    const metadata = { ...object.metadata, resourceVersion: String(revision) }
    const current = { resource, namespace, name, revision, object: { ...object, metadata } }
    const event: StoreEvent = { type, revision, current, previous }
    this.#journal?.append(event)
    this.#revision = revision
    this.table(resource).commit(event)
    this.#deliver(event)
    return current
  }

  #deliver(event: StoreEvent): void {
    this.#undelivered.push(event)
    if (this.#delivering) return
    this.#delivering = true
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift()) {
        for (const listener of this.#listeners) listener(next)
      }
    } finally {
      this.#delivering = false
      this.#undelivered.length = 0
    }
  }
}

interface Change {
  readonly resource: string
  readonly object: KubeObject
  readonly previous: StoredObject | undefined
}

function storedOf({ resource, object }: KeptObject): StoredObject {
  const { name = '', namespace = '', resourceVersion } = object.metadata
  return { resource, namespace, name, revision: Number(resourceVersion), object }
}
