import { evictOldest } from '../../../core/base/evict-oldest.ts'
import { hashJson } from '../../../core/base/hash.ts'
import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { parseDuration } from '../../../core/kube/duration.ts'
import { withoutFinalizer } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import { printLabelSelector } from '../../../core/kube/label-selector.ts'
import { withoutCopy } from '../../../core/kube/last-applied.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import { objectId } from '../../../core/kube/object-id.ts'
import { RECONCILE_PERIOD } from '../../role/reconcile-period-bounds.ts'
import { listLive } from '../../runtime/list-all.ts'
import type { RoleReconcilerOptions } from '../engine-options.ts'
import {
  FINALIZER,
  type Owner,
  PAUSED_ANNOTATION,
  RECONCILE_AT_ANNOTATION,
  RECONCILE_PERIOD_ANNOTATION,
  withoutNotes,
} from '../ownership/ownership.ts'
import type { CacheQuery, ObjectCaches, Subscription, WatchEntry } from '../reconciler-ports.ts'
import { goneVersion, versionOf } from './own-loop.ts'

interface RecordedRead {
  readonly read: Read
  readonly versions: string
  readonly uids: string
}

/**
 * Everything that a run depended on: the resource, the role, and what it read, with the versions that it saw.
 *
 * While all of it is as in the last complete run, another run would change nothing and is skipped.
 */
export class RunInputs {
  readonly #fingerprint: string
  readonly #reads = new Map<string, RecordedRead>()

  /** `fingerprint` is a hash of the content of the resource and of the role. */
  constructor(fingerprint: string) {
    this.#fingerprint = fingerprint
  }

  /** Records what was read. A later read replaces an earlier one, so that the writes of the run itself count as known. */
  record(read: Read, seen: readonly KubeObject[]): void {
    this.#reads.set(read.id, { read, versions: versionsOf(seen), uids: uidsOf(seen) })
  }

  /** The run has written an object, which is not news to what it has read of it before. */
  wrote(read: Read, object: KubeObject): void {
    if (this.#reads.has(read.id)) this.record(read, [object])
  }

  get subscriptions(): readonly Subscription[] {
    return [...this.#reads.values()].map(({ read }) => read.subscription)
  }

  async areUnchanged(fingerprint: string): Promise<boolean> {
    if (fingerprint !== this.#fingerprint) return false
    for (const { read, versions } of this.#reads.values()) {
      if (versionsOf(await read.current()) !== versions) return false
    }
    return true
  }

  /**
   * The versions that have appeared since, and the deletions of objects that existed. `undefined` if the resource or its role has changed.
   */
  async news(fingerprint: string): Promise<readonly string[] | undefined> {
    if (fingerprint !== this.#fingerprint) return undefined
    const news: string[] = []
    for (const { read, versions, uids } of this.#reads.values()) {
      const current = await read.current()
      const known = new Set(versions.split(','))
      const present = new Set(current.map(({ metadata }) => metadata.uid))
      news.push(...current.map(versionOf).filter((version) => !known.has(version)))
      news.push(
        ...uids
          .split(',')
          .filter((uid) => uid !== '' && !present.has(uid))
          .map(goneVersion),
      )
    }
    return news
  }

  /**
   * Asks the server whether the objects that were read exist and those that were missing do not. It is called before objects are deleted:
   * a cache that is empty by mistake must not cause deletions.
   */
  async areTrue(): Promise<boolean> {
    for (const { read, uids } of this.#reads.values()) {
      if (read.live && uidsOf(await read.live()) !== uids) return false
    }
    return true
  }
}

function versionsOf(objects: readonly KubeObject[]): string {
  return objects.map(versionOf).sort().join()
}

function uidsOf(objects: readonly KubeObject[]): string {
  return objects
    .map(({ metadata }) => metadata.uid)
    .sort()
    .join()
}

/** Something that a run has read, and how to read it again. */
export interface Read {
  readonly id: string
  readonly subscription: Subscription
  /** What the caches have now. */
  current(): Promise<readonly KubeObject[]>
  /** What the server has now. Absent if nothing is deleted because of this read. */
  readonly live?: (() => Promise<readonly KubeObject[]>) | undefined
}

export type ReadTools = Pick<RoleReconcilerOptions, 'client' | 'caches'>

/** A read of any object that a role names. */
export function objectRead({ client, caches }: ReadTools, gvk: Gvk, key: ObjectKey): Read {
  return {
    id: objectId(gvk, key),
    subscription: { kind: 'object', type: gvk, key },
    current: async () => listOf(await caches.get(gvk, key)),
    live: async () => listOf(await client.get(gvk, key, { metadataOnly: true })),
  }
}

/** A read of an object that the role makes. It has a cache of its own, which may be behind that of other reads of the object. */
export function childRead(caches: ObjectCaches, gvk: Gvk, key: ObjectKey): Read {
  const current = async (): Promise<readonly KubeObject[]> => listOf(await caches.child(gvk, key))
  return { id: `child ${objectId(gvk, key)}`, subscription: { kind: 'object', type: gvk, key }, current }
}

/** A read of a foreign object that has the name of a child. When it is deleted, the role can make the child. */
export function foreignRead(caches: ObjectCaches, gvk: Gvk, key: ObjectKey): Read {
  const current = async (): Promise<readonly KubeObject[]> => listOf(await caches.metadata(gvk, key))
  return { id: objectId(gvk, key), subscription: { kind: 'object', type: gvk, key }, current }
}

export function listRead({ client, caches }: ReadTools, gvk: Gvk, query: CacheQuery): Read {
  const { namespaces, selector } = query
  const labelSelector = printLabelSelector(selector)
  return {
    id: `${formatGroupKind(gvk)} in ${namespaces?.join(',') ?? '*'} with ${labelSelector}`,
    subscription: { kind: 'list', type: gvk, namespaces, selector },
    current: () => caches.list(gvk, query),
    live: () => listLive(client, gvk, { namespaces, labelSelector }),
  }
}

function listOf(object: KubeObject | undefined): readonly KubeObject[] {
  return object ? [object] : []
}

const OURS = [PAUSED_ANNOTATION, RECONCILE_AT_ANNOTATION, RECONCILE_PERIOD_ANNOTATION]

/**
 * The part of a resource whose change calls for a look: everything but status, managedFields, resourceVersion, and
 * annotations that neither the role reads nor we do, or that we write. Our finalizer is in it: another client may remove it.
 */
export function contentOf(resource: KubeObject, annotationsRead: readonly string[] | 'all'): JsonObject {
  const { status: _status, metadata, ...rest } = withoutNotes(resource)
  const { managedFields: _managedFields, resourceVersion: _resourceVersion, ...kept } = metadata
  const annotations = pick(metadata.annotations ?? {}, annotationsRead)
  return { ...rest, metadata: { ...kept, annotations } as JsonValue }
}

/** The hash of the part whose change runs the role: the same without our finalizer, which a run may add itself. */
export function contentHash(resource: KubeObject, annotationsRead: readonly string[] | 'all'): string {
  const finalizers = withoutFinalizer(resource, FINALIZER)
  return hashJson(contentOf({ ...resource, metadata: { ...resource.metadata, finalizers } }, annotationsRead))
}

function pick(annotations: { readonly [key: string]: string }, read: readonly string[] | 'all'): JsonObject {
  if (read === 'all') return annotations
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => read.includes(key) || OURS.includes(key)))
}

/** Whether the annotation `rolebook.dev/paused` forbids all writes for this resource. */
export function isPaused(resource: KubeObject): boolean {
  return resource.metadata.annotations?.[PAUSED_ANNOTATION] === 'true'
}

/** Milliseconds until a resource at rest is reconciled again; 0 is never. The annotation of the resource overrides its entry. */
export function periodOf({ entry, owner }: { readonly entry: WatchEntry; readonly owner: Owner }): number {
  const text = owner.resource.metadata.annotations?.[RECONCILE_PERIOD_ANNOTATION]
  const period = text === undefined ? undefined : parseDuration(text)
  if (period === undefined || (period > 0 && period < RECONCILE_PERIOD.min)) return entry.reconcilePeriod
  return Math.min(period, RECONCILE_PERIOD.max)
}

const SECRET = { group: '', version: 'v1', kind: 'Secret' } as const

/** How many Secrets are remembered. */
const CAPACITY = 1_000

/**
 * Reads Secrets by name, and only if their version has changed. Caches hold only the metadata of Secrets, so that a role that reads one
 * Secret does not load all Secrets of the cluster into memory.
 */
export class SecretReader {
  readonly #client: KubeClient
  readonly #known = new Map<string, KubeObject>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** The Secret with this metadata, or `undefined` if it is gone meanwhile. */
  async read({ metadata }: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata
    const known = this.#known.get(uid)
    if (known?.metadata.resourceVersion === resourceVersion) return known
    const live = await this.#client.get(SECRET, { namespace, name }, { signal })
    this.#known.delete(uid)
    // That annotation contains all data as well, and code that redacts does not look there.
    const secret = live && withoutCopy(live)
    if (secret?.metadata.uid) this.#remember(secret.metadata.uid, secret)
    return secret
  }

  #remember(uid: string, secret: KubeObject): void {
    evictOldest({ capacity: CAPACITY, known: this.#known }, (oldest) => this.#known.delete(oldest))
    this.#known.set(uid, secret)
  }
}
