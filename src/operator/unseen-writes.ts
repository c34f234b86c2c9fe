import { formatGroupKind, type GroupKind } from '../kube/group-version-kind.ts'
import { matchesLabels, parseLabelSelector } from '../kube/label-selector.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../kube/object.ts'
import type { Informer } from '../runtime/informer.ts'
import { compareResourceVersions } from '../runtime/resource-version.ts'

interface UnseenWrite {
  readonly kind: string
  readonly key: ObjectKey
  /** Absent: the object was removed. */
  readonly object?: KubeObject | undefined
  readonly uid?: string | undefined
}

/** After so many more writes those that were seen are forgotten, whether or not anybody asks. */
const SWEEP_EVERY = 500

/** Own writes whose events have not come back yet: while there are any, more runs may follow. */
export class UnseenWrites {
  readonly #informers: () => Iterable<Informer>
  readonly #writes = new Map<string, UnseenWrite>()
  #sinceSweep = 0

  constructor(informers: () => Iterable<Informer>) {
    this.#informers = informers
  }

  get size(): number {
    return this.#writes.size
  }

  add(kind: GroupKind, object: KubeObject): void {
    const key = keyOf(object)
    this.#put({ kind: formatGroupKind(kind), key, object, uid: object.metadata.uid })
  }

  addRemoval(kind: GroupKind, key: ObjectKey, uid: string): void {
    this.#put({ kind: formatGroupKind(kind), key, uid })
  }

  /** Whether every informer has seen every write that it is ever to see. */
  areSeen(): boolean {
    const informers = [...this.#informers()]
    for (const [id, write] of this.#writes) {
      const concerned = informers.filter((informer) => concerns(informer, write))
      if (concerned.every((informer) => hasSeen(informer, write))) this.#writes.delete(id)
    }
    return this.#writes.size === 0
  }

  #put(write: UnseenWrite): void {
    this.#writes.set(`${write.kind} ${formatKey(write.key)}`, write)
    if (++this.#sinceSweep < SWEEP_EVERY) return
    this.#sinceSweep = 0
    this.areSeen()
  }
}

/** An informer that selects other objects never hears of this one. */
function concerns({ spec, isSynced }: Informer, { kind, key, object }: UnseenWrite): boolean {
  if (!isSynced || formatGroupKind(spec.gvk) !== kind) return false
  if (spec.namespace && spec.namespace !== key.namespace) return false
  return !object || matchesLabels(parseLabelSelector(spec.labelSelector ?? ''), object.metadata.labels)
}

function hasSeen({ cache }: Informer, { key, object, uid }: UnseenWrite): boolean {
  const cached = cache.get(key)
  if (!object) return cached === undefined || cached.metadata.uid !== uid
  const order = compareResourceVersions(cache.resourceVersion, object.metadata.resourceVersion)
  return order === undefined ? cached?.metadata.resourceVersion === object.metadata.resourceVersion : order >= 0
}
