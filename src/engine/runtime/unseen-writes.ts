import { formatGroupKind, type GroupKind } from '../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../core/kube/object.ts'
import type { Informer } from './informer.ts'
import { compareResourceVersions } from './resource-version.ts'

/** A write without the content of the object: there may be many, and some are Secrets. */
interface UnseenWrite {
  readonly key: ObjectKey
  readonly uid: string | undefined
  /** Absent: the object was deleted. */
  readonly resourceVersion: string | undefined
}

interface Outstanding {
  readonly writes: Map<string, UnseenWrite>
  readonly stopListening: () => void
  /** How often the informer has progressed since the writes were last checked. */
  steps: number
}

/** How many writes are checked for each step of an informer, on average. */
const LOOKS_PER_STEP = 50

/**
 * Our own writes whose events have not arrived yet. While there are any, more runs may follow. A write is forgotten as soon as all informers
 * that select the object have seen it.
 */
export class UnseenWrites {
  readonly #informers: () => Iterable<Informer>
  readonly #outstanding = new Map<Informer, Outstanding>()

  constructor(informers: () => Iterable<Informer>) {
    this.#informers = informers
  }

  /** How many are remembered. A write that two informers have not seen counts twice. */
  get size(): number {
    let size = 0
    for (const { writes } of this.#outstanding.values()) size += writes.size
    return size
  }

  add(kind: GroupKind, object: KubeObject): void {
    const { uid, resourceVersion = '', labels } = object.metadata
    this.#put(kind, { key: keyOf(object), uid, resourceVersion }, (informer) => informer.selects(labels))
  }

  addRemoval(kind: GroupKind, key: ObjectKey, uid: string): void {
    this.#put(kind, { key, uid, resourceVersion: undefined }, () => true)
  }

  /** Whether every informer has seen all writes that it will ever see. */
  areSeen(): boolean {
    const informers = new Set(this.#informers())
    this.#forgetStopped(informers)
    for (const informer of informers) this.#forgetSeen(informer)
    return ![...this.#outstanding.keys()].some(({ isSynced }) => isSynced)
  }

  /** Remembers a write for the informers that select the object. */
  #put(kind: GroupKind, write: UnseenWrite, selects: (informer: Informer) => boolean): void {
    const informers = new Set(this.#informers())
    this.#forgetStopped(informers)
    const id = formatKey(write.key)
    for (const informer of informers) {
      if (!isWithin(informer, kind, write.key)) continue
      // A former write is seen together with this one, or the informer does not select the object any more.
      if (selects(informer) && !hasSeen(informer, write)) this.#outstandingOf(informer).writes.set(id, write)
      else this.#drop(informer, id)
    }
  }

  #outstandingOf(informer: Informer): Outstanding {
    const known = this.#outstanding.get(informer)
    if (known) return known
    const stopListening = informer.onProgress(() => this.#step(informer))
    const outstanding = { writes: new Map<string, UnseenWrite>(), stopListening, steps: 0 }
    this.#outstanding.set(informer, outstanding)
    return outstanding
  }

  #drop(informer: Informer, id: string): void {
    const writes = this.#outstanding.get(informer)?.writes
    if (writes?.delete(id) && writes.size === 0) this.#forget(informer)
  }

  #step(informer: Informer): void {
    const outstanding = this.#outstanding.get(informer)
    if (outstanding && ++outstanding.steps >= outstanding.writes.size / LOOKS_PER_STEP) this.#forgetSeen(informer)
  }

  #forgetSeen(informer: Informer): void {
    const outstanding = this.#outstanding.get(informer)
    if (!outstanding || !informer.isSynced) return
    outstanding.steps = 0
    for (const [id, write] of outstanding.writes) {
      if (hasSeen(informer, write)) outstanding.writes.delete(id)
    }
    if (outstanding.writes.size === 0) this.#forget(informer)
  }

  #forgetStopped(present: ReadonlySet<Informer>): void {
    for (const informer of this.#outstanding.keys()) if (!present.has(informer)) this.#forget(informer)
  }

  #forget(informer: Informer): void {
    this.#outstanding.get(informer)?.stopListening()
    this.#outstanding.delete(informer)
  }
}

/** Whether the informer watches the place of an object. An informer whose list fails does not count: it may never see the write. */
function isWithin({ spec, isSynced, lastError }: Informer, kind: GroupKind, key: ObjectKey): boolean {
  if (!isSynced && lastError) return false
  if (formatGroupKind(spec.gvk) !== formatGroupKind(kind)) return false
  return !spec.namespace || spec.namespace === key.namespace
}

function hasSeen({ cache, isSynced }: Informer, { key, uid, resourceVersion }: UnseenWrite): boolean {
  const cached = cache.get(key)
  if (!isSynced) return false
  if (resourceVersion === undefined) return cached === undefined || cached.metadata.uid !== uid
  const order = compareResourceVersions(cache.resourceVersion, resourceVersion)
  return order === undefined ? cached?.metadata.resourceVersion === resourceVersion : order >= 0
}
