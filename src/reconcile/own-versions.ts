import { AsyncLocalStorage } from 'node:async_hooks'
import type { KubeObject } from '../kube/object.ts'
import { evictOldest } from './evict-oldest.ts'
import type { ObjectCaches } from './object-caches.ts'

/** How many versions are remembered. */
const CAPACITY = 20_000

/** What led to a run, or to a write. */
export interface Cause {
  /** Whether nothing but our own writes has changed since the run before. */
  readonly isOwnDoing: boolean
  /** How many of our own writes, one because of the other, led here since others changed something. */
  readonly chain: number
}

export const DONE_BY_OTHERS: Cause = { isOwnDoing: false, chain: 0 }

/**
 * The versions of objects that our own writes made, the latest ones, each with the length of its chain of causes: 1 for what
 * was written because others had changed something, 2 for what was written because of that, and so on.
 */
export class OwnVersions {
  readonly #chains = new Map<string, number>()
  readonly #running = new AsyncLocalStorage<() => Cause>()

  /**
   * What versions that are new lead to. Of several chains the shortest counts, as that one may be all that matters. What
   * others wrote breaks none: our own write may be taken for theirs as long as its answer is on its way.
   */
  causeIn(news: readonly string[]): Cause {
    const own = news.map((version) => this.#chains.get(version)).filter((chain) => chain !== undefined)
    if (own.length === 0) return DONE_BY_OTHERS
    return { isOwnDoing: own.length === news.length, chain: own.reduce((least, chain) => Math.min(least, chain)) }
  }

  /** Whatever `work` writes, also after it has waited, is one link further than what `cause` then gives. */
  during<T>(cause: () => Cause, work: () => Promise<T>): Promise<T> {
    return this.#running.run(cause, work)
  }

  add(version: string): void {
    // A write that changed nothing has made no version.
    if (this.#chains.has(version)) return
    evictOldest({ capacity: CAPACITY, known: this.#chains }, (oldest) => this.#chains.delete(oldest))
    this.#chains.set(version, (this.#running.getStore()?.() ?? DONE_BY_OTHERS).chain + 1)
  }

  /** The same caches, whose news of own writes is remembered here. */
  watching(caches: ObjectCaches): ObjectCaches {
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

/** Stands for the end of an object. */
export function goneVersion(uid: string): string {
  return `${uid}/gone`
}
