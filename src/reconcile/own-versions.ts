import type { KubeObject } from '../kube/object.ts'
import { makeRoom } from './make-room.ts'
import type { ObjectCaches } from './object-caches.ts'

/** How many versions are remembered. */
const CAPACITY = 20_000

/** The versions of objects that our own writes made, the latest ones. */
export class OwnVersions {
  readonly #known = new Set<string>()

  has(version: string): boolean {
    return this.#known.has(version)
  }

  add(version: string): void {
    makeRoom({ capacity: CAPACITY, known: this.#known }, (oldest) => this.#known.delete(oldest))
    this.#known.add(version)
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
