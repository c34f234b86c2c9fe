import type { Clock } from '../../core/base/clock.ts'
import { formatGroupKind, type GroupKind } from '../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../core/kube/object.ts'
import type { Informer } from './informer.ts'
import type { CacheQuery } from './object-cache.ts'
import { compareResourceVersions } from './resource-version.ts'

export interface OwnWritesOptions {
  readonly clock: Clock
  /** Milliseconds for which a write is remembered that no watch delivers. Defaults to 10 minutes. */
  readonly lifetime?: number | undefined
}

interface Write {
  readonly key: ObjectKey
  readonly uid: string | undefined
  /** For a deletion: the version of the write before it, if there was one. */
  readonly resourceVersion: string | undefined
  /** The answer of the server; absent after a deletion. */
  readonly object: KubeObject | undefined
  readonly at: number
}

/**
 * Remembers our writes until the watches have delivered them, so that no run works on a state that is older than its own writes.
 *
 * A write without an answer may or may not have happened. `isUnanswered` says so, and then the object must be read live.
 */
export class OwnWrites {
  readonly #clock: Clock
  readonly #lifetime: number
  readonly #writes = new Map<string, Map<string, Write>>()
  /** When a write was sent whose answer has not come, by kind, key and uid. */
  readonly #sent = new Map<string, number>()
  readonly #informers = new Map<string, Set<Informer>>()
  #sweptAt: number

  constructor({ clock, lifetime = 600_000 }: OwnWritesOptions) {
    this.#clock = clock
    this.#lifetime = lifetime
    this.#sweptAt = clock.monotonic()
  }

  /** Notes that a write of `object` is sent. */
  recordSent(kind: GroupKind, object: KubeObject): void {
    this.#sent.set(sentKey(kind, object), this.#clock.monotonic())
  }

  /** Whether the answer to a write of `object` has not come. It is forgotten after the lifetime: watches have delivered it by then. */
  isUnanswered(kind: GroupKind, object: KubeObject): boolean {
    return this.#sent.has(sentKey(kind, object))
  }

  /** Notes that a create, apply, patch or update was answered with `object`. */
  record(kind: GroupKind, object: KubeObject): void {
    const { uid, resourceVersion } = object.metadata
    this.#sent.delete(sentKey(kind, object))
    const former = this.#write(kind, keyOf(object))
    const order = compareResourceVersions(former?.resourceVersion, resourceVersion)
    if (former?.object && order !== undefined && order > 0) return
    this.#remember(kind, { key: keyOf(object), uid, resourceVersion, object, at: this.#clock.monotonic() })
  }

  /** Notes that a deletion was answered and the object is gone. (If finalizers keep it, the answer is an object: use `record`.) */
  recordDeletion(kind: GroupKind, key: ObjectKey, uid: string | undefined): void {
    const resourceVersion = this.#write(kind, key)?.resourceVersion
    this.#remember(kind, { key, uid, resourceVersion, object: undefined, at: this.#clock.monotonic() })
  }

  /** Follows an informer, to forget what it has delivered. The returned function ends that. */
  attach(informer: Informer): () => void {
    const kind = informer.spec.gvk
    const informers = this.#informers.get(formatGroupKind(kind)) ?? new Set()
    this.#informers.set(formatGroupKind(kind), informers.add(informer))
    const unsubscribe = informer.subscribe(({ object }) => this.#forgetIfDelivered(kind, keyOf(object)))
    const stopListening = informer.onList(() => {
      const written = this.#pendingOf(informer, informer.spec.namespace)
      return () => reportVanished(informer, written)
    })
    return () => {
      stopListening()
      unsubscribe()
      informers.delete(informer)
    }
  }

  /** Whether the cache reaches our last write of `key` within `milliseconds`. If not, the object must be read live. */
  async caughtUp(informer: Informer, key: ObjectKey, milliseconds: number): Promise<boolean> {
    const reached = (): boolean => this.#pending(informer, key) === undefined
    if (reached() || milliseconds <= 0) return reached()
    return new Promise((resolve) => {
      const settle = (): void => {
        stopListening()
        cancel()
        resolve(reached())
      }
      const stopListening = informer.onProgress(() => {
        if (reached()) settle()
      })
      const cancel = this.#clock.schedule(milliseconds, settle)
    })
  }

  /** The cached object, or the one that we have written if the cache is behind. */
  read(informer: Informer, key: ObjectKey): KubeObject | undefined {
    const pending = this.#pending(informer, key)
    return pending ? this.#overlay(informer, pending) : informer.cache.get(key)
  }

  /** The cached objects, replaced by our writes where the cache is behind. */
  list(informer: Informer, query: CacheQuery = {}): readonly KubeObject[] {
    const cached = informer.cache.list(query)
    const pending = this.#pendingOf(informer, query.namespace)
    if (pending.length === 0) return cached
    const written = new Set(pending.map(({ key }) => formatKey(key)))
    const untouched = cached.filter((object) => !written.has(formatKey(keyOf(object))))
    const overlaid = pending.map((write) => this.#overlay(informer, write)).filter((object) => object !== undefined)
    return [...untouched, ...overlaid.filter(({ metadata }) => query.labels?.(metadata.labels) ?? true)]
  }

  /** How many writes are remembered. */
  get size(): number {
    return this.#writes.values().reduce((sum, writes) => sum + writes.size, 0)
  }

  #overlay(informer: Informer, { object }: Write): KubeObject | undefined {
    return object && informer.selects(object.metadata.labels) ? object : undefined
  }

  #pending(informer: Informer, key: ObjectKey): Write | undefined {
    const write = this.#write(informer.spec.gvk, key)
    return write && !hasDelivered(informer, write) ? write : undefined
  }

  #pendingOf(informer: Informer, namespace: string | undefined): readonly Write[] {
    const writes = [...(this.#writes.get(formatGroupKind(informer.spec.gvk))?.values() ?? [])]
    return writes.filter((write) => (!namespace || write.key.namespace === namespace) && !hasDelivered(informer, write))
  }

  #write(kind: GroupKind, key: ObjectKey): Write | undefined {
    return this.#writes.get(formatGroupKind(kind))?.get(formatKey(key))
  }

  #remember(kind: GroupKind, write: Write): void {
    const name = formatGroupKind(kind)
    const writes = this.#writes.get(name) ?? new Map<string, Write>()
    this.#writes.set(name, writes.set(formatKey(write.key), write))
    this.#forgetIfDelivered(kind, write.key)
    if (this.#clock.monotonic() - this.#sweptAt >= 60_000) this.#sweep()
  }

  #forgetIfDelivered(kind: GroupKind, key: ObjectKey): void {
    const write = this.#write(kind, key)
    if (write && this.#isDelivered(formatGroupKind(kind), write))
      this.#writes.get(formatGroupKind(kind))?.delete(formatKey(key))
  }

  /** Whether all informers of the kind have delivered a write. Without an informer, it is kept for its lifetime. */
  #isDelivered(kind: string, write: Write): boolean {
    const informers = [...(this.#informers.get(kind) ?? [])]
    return informers.length > 0 && informers.every((informer) => hasDelivered(informer, write))
  }

  #sweep(): void {
    const now = this.#clock.monotonic()
    this.#sweptAt = now
    for (const [key, at] of this.#sent) if (now - at >= this.#lifetime) this.#sent.delete(key)
    for (const [kind, writes] of this.#writes) {
      for (const [key, write] of writes) {
        if (this.#isDelivered(kind, write) || now - write.at >= this.#lifetime) writes.delete(key)
      }
    }
  }
}

/** A list that is newer than a write and does not have its object: it was removed before a watch could show it, and no event says so. */
function reportVanished(informer: Informer, written: readonly Write[]): void {
  for (const write of written) {
    const { key, object } = write
    const isGone = object !== undefined && hasDelivered(informer, write) && informer.cache.get(key) === undefined
    if (isGone && informer.selects(object.metadata.labels)) informer.vanished(object)
  }
}

function sentKey(kind: GroupKind, object: KubeObject): string {
  return `${formatGroupKind(kind)} ${formatKey(keyOf(object))} ${object.metadata.uid}`
}

function hasDelivered({ cache, spec }: Informer, { key, uid, resourceVersion, object }: Write): boolean {
  if (spec.namespace && key.namespace !== spec.namespace) return true
  const cached = cache.get(key)
  // While a list is written into the cache, its objects come before its version.
  const order = compareResourceVersions(cache.resourceVersion, resourceVersion)
  const ofObject = compareResourceVersions(cached?.metadata.resourceVersion, resourceVersion)
  const isReached = (order !== undefined && order >= 0) || (ofObject !== undefined && ofObject >= 0)
  if (object) return isReached
  const isPast = isReached || order === undefined
  return isPast && (!cached || (uid !== undefined && cached.metadata.uid !== uid))
}
