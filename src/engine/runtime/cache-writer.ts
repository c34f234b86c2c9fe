import type { Clock } from '../../core/base/clock.ts'
import { formatKey, type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { CacheEvent } from './cache-event.ts'
import type { ObjectCache } from './object-cache.ts'
import { compareResourceVersions } from './resource-version.ts'

/** The result of a delivery of a watch. `outOfOrder`: the watch cannot be trusted any more. */
export type Delivery = 'applied' | 'known' | 'outOfOrder'

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

/**
 * Writes what lists and watches deliver into a cache, and emits what changed.
 *
 * The cache never goes back: it drops an event that is older than what it has. If such an event contains something new, the stream has
 * skipped or reordered events, and only a new list can show the truth.
 */
export class CacheWriter {
  readonly #cache: ObjectCache
  readonly #clock: Clock
  readonly #emit: (event: CacheEvent) => void
  #filled = false

  constructor(cache: ObjectCache, clock: Clock, emit: (event: CacheEvent) => void) {
    this.#cache = cache
    this.#clock = clock
    this.#emit = emit
  }

  apply(type: ChangeType, object: KubeObject): Delivery {
    const version = object.metadata.resourceVersion
    const order = compareResourceVersions(version, this.#cache.resourceVersion)
    const old = this.#cache.get(keyOf(object))
    // Its creation was lost on the way. The client that made it is informed of both.
    const isLost = type === 'DELETED' && !old && order !== undefined && order > 0
    if (isLost) this.#put(object)
    else if (isKnown(type, object, old)) return 'known'
    if (order !== undefined && order < 0) return 'outOfOrder'
    if (version) this.#cache.resourceVersion = version
    if (type === 'DELETED') this.#remove(object)
    else this.#put(object)
    return 'applied'
  }

  /** Handles a bookmark: everything up to `version` has been delivered. */
  advance(version: string | undefined): Delivery {
    const order = compareResourceVersions(version, this.#cache.resourceVersion)
    if (!version || order === 0) return 'known'
    if (order !== undefined && order < 0) return 'outOfOrder'
    this.#cache.resourceVersion = version
    return 'applied'
  }

  /** Makes the cache equal to a list. Works in slices, so that it does not block the event loop. */
  async replace(objects: ReadonlyMap<string, KubeObject>, resourceVersion: string): Promise<void> {
    const slices = new Slices(this.#clock)
    for (const object of objects.values()) {
      this.#putUnlessEqual(object)
      await slices.next()
    }
    for (const object of [...this.#cache.values()]) {
      if (!objects.has(formatKey(keyOf(object)))) this.#remove(object, true)
      await slices.next()
    }
    this.#cache.resourceVersion = resourceVersion
    this.#filled = true
  }

  #putUnlessEqual(object: KubeObject): void {
    const old = this.#cache.get(keyOf(object))
    const { uid, resourceVersion } = object.metadata
    if (old && old.metadata.uid === uid && old.metadata.resourceVersion === resourceVersion) return
    this.#put(object, true)
  }

  #put(object: KubeObject, listed = false): void {
    const old = this.#cache.put(object)
    if (old && old.metadata.uid === object.metadata.uid) {
      this.#emit({ type: 'updated', old, object, ...(listed && { listed }) })
      return
    }
    if (old) this.#emit({ type: 'deleted', object: old, listed: true })
    this.#emit(this.#filled ? { type: 'added', object } : { type: 'added', object, initial: true })
  }

  #remove(object: KubeObject, listed = false): void {
    const old = this.#cache.delete(keyOf(object))
    if (!old) return
    const isSame = old.metadata.uid === object.metadata.uid
    this.#emit({ type: 'deleted', object: isSame ? object : old, ...((listed || !isSame) && { listed: true }) })
  }
}

/** Whether an event contains nothing new. The version of the object decides: objects may arrive late, but none may go back. */
function isKnown(type: ChangeType, object: KubeObject, old: KubeObject | undefined): boolean {
  if (!old) return type === 'DELETED'
  const order = compareResourceVersions(object.metadata.resourceVersion, old.metadata.resourceVersion)
  if (type === 'DELETED') return order !== undefined && order < 0
  return order !== undefined && order <= 0
}

/** Yields to the event loop every few milliseconds. */
class Slices {
  readonly #clock: Clock
  #since: number
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.monotonic()
  }

  async next(): Promise<void> {
    if (++this.#count % 32 !== 0 || this.#clock.monotonic() - this.#since < 4) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#since = this.#clock.monotonic()
  }
}
