import { EventHistory } from './event-history.ts'
import { PagedStates } from './paged-states.ts'
import type { StoredObject, StoreEvent } from './stored-object.ts'

interface Partition {
  readonly namespace: string
  readonly objects: Map<string, StoredObject>
  /** Names in order; rebuilt on demand after an object came or went. */
  names: string[] | undefined
}

/** All objects of one resource, by namespace and name, in the order of their keys. */
export class ResourceTable {
  readonly history: EventHistory
  readonly pagedStates = new PagedStates()
  readonly #partitions = new Map<string, Partition>()
  #namespaces: string[] | undefined
  #size = 0

  constructor(historySize: number, revision: number) {
    this.history = new EventHistory(historySize, revision)
  }

  get size(): number {
    return this.#size
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.#partitions.get(namespace)?.objects.get(name)
  }

  /** Objects in the order of their keys; of one namespace, or of all when it is `undefined`. */
  list(namespace?: string): StoredObject[] {
    if (namespace !== undefined) return listPartition(this.#partitions.get(namespace))
    this.#namespaces ??= [...this.#partitions.keys()].sort((a, b) => compareKeys(`${a}/`, `${b}/`))
    return this.#namespaces.flatMap((each) => listPartition(this.#partitions.get(each)))
  }

  /** Makes a change visible and remembers it. */
  commit(event: StoreEvent): void {
    if (event.type === 'DELETED') this.#remove(event.current)
    else this.#set(event.current)
    this.history.append(event)
    this.pagedStates.forgetBefore(this.history.start)
  }

  /** Takes in an object that was there before the history begins. */
  load(stored: StoredObject): void {
    this.#set(stored)
  }

  #set(stored: StoredObject): void {
    const partition = this.#partitionOf(stored.namespace)
    if (!partition.objects.has(stored.name)) {
      partition.names = undefined
      this.#size++
    }
    partition.objects.set(stored.name, stored)
  }

  #remove({ namespace, name }: StoredObject): void {
    const partition = this.#partitions.get(namespace)
    if (!partition?.objects.delete(name)) return
    this.#size--
    partition.names = undefined
    if (partition.objects.size > 0) return
    this.#partitions.delete(namespace)
    this.#namespaces = undefined
  }

  #partitionOf(namespace: string): Partition {
    const existing = this.#partitions.get(namespace)
    if (existing) return existing
    const partition: Partition = { namespace, objects: new Map(), names: undefined }
    this.#partitions.set(namespace, partition)
    this.#namespaces = undefined
    return partition
  }
}

/** Order of keys as bytes: what pages of a list are cut by. */
export function compareKeys(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function listPartition(partition: Partition | undefined): StoredObject[] {
  if (!partition) return []
  partition.names ??= [...partition.objects.keys()].sort(compareKeys)
  const found: StoredObject[] = []
  for (const name of partition.names) {
    const stored = partition.objects.get(name)
    if (stored) found.push(stored)
  }
  return found
}
