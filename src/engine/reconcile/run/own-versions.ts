import { AsyncLocalStorage } from 'node:async_hooks'
import { evictOldest } from '../../../core/base/evict-oldest.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ObjectCaches } from '../object-caches.ts'

/** How many versions are remembered. */
const CAPACITY = 20_000

/** What caused a run or a write. */
export interface Cause {
  /** Whether only our own writes have changed something since the last run. */
  readonly isOwnDoing: boolean
  /** How many of our own writes, each caused by the one before, led here since another client changed something. */
  readonly chain: number
}

export const DONE_BY_OTHERS: Cause = { isOwnDoing: false, chain: 0 }

/**
 * The latest versions of objects that our own writes made, each with the length of its chain of causes. It is 1 for what was written
 * because another client had changed something, 2 for what was written because of that, and so on.
 */
export class OwnVersions {
  readonly #chains = new Map<string, number>()
  readonly #running = new AsyncLocalStorage<() => Cause>()

  /**
   * The cause that new versions are for a run. Of several chains the shortest counts, since it may be the only one that matters. A version
   * of another client does not end a chain: it may be our own write whose answer has not arrived yet.
   */
  causeIn(news: readonly string[]): Cause {
    const own = news.map((version) => this.#chains.get(version)).filter((chain) => chain !== undefined)
    if (own.length === 0) return DONE_BY_OTHERS
    return { isOwnDoing: own.length === news.length, chain: own.reduce((least, chain) => Math.min(least, chain)) }
  }

  /** What `work` writes, also after it has waited, is one link longer than the chain that `cause` returns then. */
  during<T>(cause: () => Cause, work: () => Promise<T>): Promise<T> {
    return this.#running.run(cause, work)
  }

  add(version: string): void {
    // A write that changed nothing has made no new version.
    if (this.#chains.has(version)) return
    evictOldest({ capacity: CAPACITY, known: this.#chains }, (oldest) => this.#chains.delete(oldest))
    this.#chains.set(version, (this.#running.getStore()?.() ?? DONE_BY_OTHERS).chain + 1)
  }

  /** The same caches. What they hear of our own writes is remembered here. */
  recording(caches: ObjectCaches): ObjectCaches {
    return {
      child: (gvk, key) => caches.child(gvk, key),
      children: (gvk, uid) => caches.children(gvk, uid),
      get: (gvk, key) => caches.get(gvk, key),
      list: (gvk, query) => caches.list(gvk, query),
      metadata: (gvk, key) => caches.metadata(gvk, key),
      patched: (gvk) => caches.patched(gvk),
      wrote: (object) => {
        this.add(versionOf(object))
        caches.wrote(object)
      },
      removed: (gvk, key, uid) => {
        this.add(goneVersion(uid))
        caches.removed(gvk, key, uid)
      },
    }
  }
}

export function versionOf({ metadata }: KubeObject): string {
  return `${metadata.uid}/${metadata.resourceVersion}`
}

/** The version that stands for the deletion of an object. */
export function goneVersion(uid: string): string {
  return `${uid}/gone`
}
