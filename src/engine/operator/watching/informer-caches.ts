import { orAborted } from '../../../core/base/or-aborted.ts'
import { formatGroupKind, type Gvk, gvkOf, isSecret } from '../../../core/kube/group-version-kind.ts'
import { compileLabelSelector, type LabelSelector, printLabelSelector } from '../../../core/kube/label-selector.ts'
import { withoutLastApplied } from '../../../core/kube/last-applied.ts'
import { cutDeepNesting } from '../../../core/kube/nesting.ts'
import {
  formatKey,
  type KubeObject,
  keyOf,
  type ManagedFieldsEntry,
  type ObjectKey,
} from '../../../core/kube/object.ts'
import type { EngineOptions } from '../../reconcile/engine-options.ts'
import { OWNER_UID_LABEL, PATCHED_LABEL } from '../../reconcile/ownership/ownership.ts'
import type { CacheQuery, ObjectCaches, Subscription } from '../../reconcile/reconciler-ports.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'
import type { Informer, InformerOptions } from '../../runtime/informer.ts'
import { InformerPool } from '../../runtime/informer-pool.ts'
import { type InformerSpec, specKey } from '../../runtime/informer-spec.ts'
import { OwnWrites } from '../../runtime/own-writes.ts'
import { UnseenWrites } from '../../runtime/unseen-writes.ts'
import { servedReader, WatchFailures } from './unserved-kinds.ts'
import { UID_INDEX } from './watched-informers.ts'

/** Name of the index of children by the uid of their owner. */
export const OWNER_UID_INDEX = 'ownerUid'

/** The values of that index: the uid of the owner, if the object has one. */
export function ownerUidsOf({ metadata }: KubeObject): readonly string[] {
  const uid = metadata.labels?.[OWNER_UID_LABEL]
  return uid === undefined ? [] : [uid]
}

/** The informers of all controllers, and what is known beside what their watches have delivered. */
export interface SharedInformers {
  readonly pool: InformerPool
  readonly ownWrites: OwnWrites
  readonly unseen: UnseenWrites
  readonly failures: WatchFailures
}

export interface SharedInformersOptions
  extends Pick<EngineOptions, 'client' | 'mapper' | 'clock' | 'logger' | 'metrics'>,
    Pick<InformerOptions, 'timings' | 'cacheCheckPeriod'> {}

export function newSharedInformers({ client, ...options }: SharedInformersOptions): SharedInformers {
  const { mapper, clock, logger, metrics, timings, cacheCheckPeriod } = options
  const failures = new WatchFailures()
  const ownWrites = new OwnWrites({ clock })
  const pool = new InformerPool({
    ...{ clock, logger, timings, cacheCheckPeriod, ownWrites, indexes, stripObject },
    newReader: () => failures.observe(servedReader(client, { mapper, clock })),
    onRelist: ({ gvk }, reason) => metrics?.relisted(formatGroupKind(gvk), reason),
  })
  return { pool, ownWrites, unseen: new UnseenWrites(() => pool.informers()), failures }
}

/** The objects in the caches of children that are made for the resource with this uid. */
export function childrenOf({ pool }: Pick<SharedInformers, 'pool'>, uid: string): readonly KubeObject[] {
  return [...pool.informers()].flatMap(({ spec, cache }) =>
    spec.labelSelector === OWNER_UID_LABEL ? cache.byIndex(OWNER_UID_INDEX, uid) : [],
  )
}

const indexes = {
  [OWNER_UID_INDEX]: ownerUidsOf,
  [UID_INDEX]: ({ metadata: { uid = '' } }: KubeObject): readonly string[] => [uid],
}

export interface InformerCachesOptions extends SharedInformers, Pick<EngineOptions, 'mapper'> {
  /** The name under which the informers are held. */
  readonly holder: string
  /** Namespaces to watch; `undefined` is all. */
  readonly namespaces: () => readonly string[] | undefined
  /** Called with every change in an informer that was used. */
  readonly onEvent: (informer: Informer, event: CacheEvent) => void
}

/** The caches of one controller. An informer starts when its objects are first read. */
export class InformerCaches implements ObjectCaches {
  readonly #options: InformerCachesOptions
  readonly #followed = new Map<Informer, () => void>()
  readonly #indexes = new Map<Informer, LabelIndex>()
  /** Kinds with objects that we have written. Their lists must include writes that the watch has not delivered yet. */
  readonly #written = new Set<string>()

  /**
   * The keys of the specs of the informers that were used, by the key or selector that was read, which is the same object in the
   * subscription. It holds keys and not informers, because a key may outlive an informer, whose cache is large.
   */
  readonly #usedFor = new WeakMap<ObjectKey | LabelSelector, Set<string>>()
  /** Informers whose first list is waited for, once for each caller. They must not be released, or the caller would wait for ever. */
  readonly #waiting: Informer[] = []
  readonly #stop = new AbortController()

  constructor(options: InformerCachesOptions) {
    this.#options = options
  }

  async child(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined> {
    const informer = await this.#informer({ gvk, namespace: this.#scopeOf(key), labelSelector: OWNER_UID_LABEL })
    return this.#options.ownWrites.read(informer, key)
  }

  async children(gvk: Gvk, ownerUid: string): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = []
    for (const namespace of await this.#placesOf(gvk)) {
      const informer = await this.#informer({ gvk, namespace, labelSelector: OWNER_UID_LABEL })
      const cached = informer.cache.byIndex(OWNER_UID_INDEX, ownerUid)
      found.push(...cached.flatMap((object) => this.#options.ownWrites.read(informer, keyOf(object)) ?? []))
    }
    return found
  }

  async get(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined> {
    const spec = { gvk, namespace: this.#scopeOf(key), metadataOnly: isSecret(gvk) }
    const informer = await this.#informer(spec, key)
    return this.#options.ownWrites.read(informer, key)
  }

  async metadata(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined> {
    const namespace = key.namespace === '' ? undefined : key.namespace
    const informer = await this.#informer({ gvk, namespace, metadataOnly: true }, key)
    return this.#options.ownWrites.read(informer, key)
  }

  async list(gvk: Gvk, { namespaces, selector, literalSelector }: CacheQuery): Promise<readonly KubeObject[]> {
    const labelSelector = printLabelSelector(literalSelector)
    const found: KubeObject[] = []
    for (const namespace of namespaces ?? [undefined]) {
      const watched = this.#options.namespaces() === undefined ? undefined : namespace
      const spec = { gvk, namespace: watched, labelSelector, metadataOnly: isSecret(gvk) }
      const informer = await this.#informer(spec, selector)
      found.push(...this.#select(informer, selector, namespace))
    }
    return found.sort(byNamespaceAndName)
  }

  async patched(gvk: Gvk): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = []
    for (const namespace of await this.#placesOf(gvk)) {
      const informer = await this.#informer({ gvk, namespace, labelSelector: PATCHED_LABEL })
      found.push(...this.#options.ownWrites.list(informer))
    }
    return found
  }

  sent(object: KubeObject): void {
    this.#options.ownWrites.recordSent(gvkOf(object), object)
  }

  isUnanswered(object: KubeObject): boolean {
    return this.#options.ownWrites.isUnanswered(gvkOf(object), object)
  }

  wrote(object: KubeObject): void {
    const gvk = gvkOf(object)
    this.#written.add(formatGroupKind(gvk))
    // It keeps as much of the object as the watch will deliver.
    this.#options.ownWrites.record(gvk, stripObject(object))
    this.#options.unseen.add(gvk, object)
  }

  removed(gvk: Gvk, key: ObjectKey, uid: string): void {
    this.#written.add(formatGroupKind(gvk))
    this.#options.ownWrites.recordDeletion(gvk, key, uid)
    this.#options.unseen.addRemoval(gvk, key, uid)
  }

  /** All informers in use. */
  informers(): IterableIterator<Informer> {
    return this.#followed.keys()
  }

  /** Releases the informers that no subscription needs. Those of children and patched objects stay. */
  releaseUnused(subscriptions: Iterable<Subscription>): void {
    const used = new Set<string>()
    for (const subscription of subscriptions) for (const spec of this.#usedBy(subscription)) used.add(spec)
    this.#release(({ spec }) => !used.has(specKey(spec)) && !isForOwnObjects(spec))
  }

  /** Whether it holds informers of foreign objects, which `metadata` starts. */
  get watchesForeign(): boolean {
    return this.#followed.keys().some(({ spec }) => isForForeignObjects(spec))
  }

  /** Releases the informers of foreign objects that no subscription needs. */
  releaseForeign(subscriptions: Iterable<Subscription>): void {
    const used = new Set<string>()
    for (const subscription of subscriptions)
      for (const spec of this.#usedFor.get(wantedBy(subscription)) ?? []) used.add(spec)
    this.#release(({ spec }) => !used.has(specKey(spec)) && isForForeignObjects(spec))
  }

  /** Releases all informers, and ends the waits for first lists. */
  stop(): void {
    this.#stop.abort(new Error('the controller is stopped'))
    for (const stop of this.#followed.values()) stop()
    for (const index of this.#indexes.values()) index.stop()
    this.#followed.clear()
    this.#indexes.clear()
    this.#options.pool.releaseAll(this.#options.holder)
  }

  /** Keeps informers whose first list is waited for. */
  #release(isDue: (informer: Informer) => boolean): void {
    for (const [informer, unsubscribe] of this.#followed) {
      if (this.#waiting.includes(informer) || !isDue(informer)) continue
      unsubscribe()
      this.#followed.delete(informer)
      this.#indexes.get(informer)?.stop()
      this.#indexes.delete(informer)
      this.#options.pool.release(informer.spec, this.#options.holder)
    }
  }

  #select(informer: Informer, selector: LabelSelector, namespace: string | undefined): readonly KubeObject[] {
    const { gvk } = informer.spec
    const labels = compileLabelSelector(selector)
    const isWritten = this.#written.has(formatGroupKind(gvk))
    const candidates = isWritten ? undefined : this.#indexOf(informer).candidates(selector)
    if (!candidates) return this.#options.ownWrites.list(informer, { namespace, labels })
    return candidates.filter(
      ({ metadata }) => labels(metadata.labels) && (namespace === undefined || metadata.namespace === namespace),
    )
  }

  #indexOf(informer: Informer): LabelIndex {
    const index = this.#indexes.get(informer) ?? new LabelIndex(informer)
    this.#indexes.set(informer, index)
    return index
  }

  /** The specs that a subscription uses: all of its kind, if nothing has been read for it yet. */
  #usedBy(subscription: Subscription): Iterable<string> {
    const type = formatGroupKind(subscription.type)
    const ofKind = this.#followed.keys().filter(({ spec }) => formatGroupKind(spec.gvk) === type)
    return this.#usedFor.get(wantedBy(subscription)) ?? ofKind.map(({ spec }) => specKey(spec))
  }

  async #informer(spec: InformerSpec, wanted?: ObjectKey | LabelSelector): Promise<Informer> {
    const { pool, holder, onEvent } = this.#options
    this.#stop.signal.throwIfAborted()
    const informer = pool.acquire(spec, holder)
    if (wanted) this.#usedFor.set(wanted, (this.#usedFor.get(wanted) ?? new Set()).add(specKey(spec)))
    if (!this.#followed.has(informer)) {
      this.#followed.set(
        informer,
        informer.subscribe((event) => onEvent(informer, event)),
      )
    }
    if (!informer.isSynced) await this.#untilFilled(informer)
    return informer
  }

  async #untilFilled(informer: Informer): Promise<void> {
    this.#waiting.push(informer)
    try {
      await orAborted(this.#options.failures.synced(informer), this.#stop.signal)
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(informer), 1)
    }
  }

  /** The namespaces to watch for objects of a kind; `undefined` stands for the whole cluster. */
  async #placesOf(gvk: Gvk): Promise<readonly (string | undefined)[]> {
    const namespaces = this.#options.namespaces()
    if (namespaces === undefined || !(await this.#options.mapper.mappingFor(gvk)).namespaced) return [undefined]
    return namespaces
  }

  /** The namespace to watch for an object; `undefined` is the whole cluster, which is watched unless the operator is confined. */
  #scopeOf({ namespace }: ObjectKey): string | undefined {
    return namespace === '' || this.#options.namespaces() === undefined ? undefined : namespace
  }
}

function isForOwnObjects({ labelSelector }: InformerSpec): boolean {
  return labelSelector === OWNER_UID_LABEL || labelSelector === PATCHED_LABEL
}

function isForForeignObjects({ namespace, labelSelector, metadataOnly }: InformerSpec): boolean {
  return metadataOnly === true && namespace !== undefined && labelSelector === undefined
}

function wantedBy(subscription: Subscription): ObjectKey | LabelSelector {
  return subscription.kind === 'object' ? subscription.key : subscription.selector
}

function byNamespaceAndName(left: KubeObject, right: KubeObject): number {
  const [a, b] = [keyOf(left), keyOf(right)]
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name)
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

/** Indexes the objects of an informer by label, so that a list of few among many is fast. */
export class LabelIndex {
  readonly #objects = new Map<string, Map<string, KubeObject>>()
  readonly stop: () => void

  constructor(informer: Informer) {
    this.stop = informer.subscribe((event) => {
      if (event.type === 'updated') this.#remove(event.old)
      if (event.type === 'deleted') this.#remove(event.object)
      else this.#add(event.object)
    })
  }

  /** The objects with the rarest label of the selector, among which are all that it matches; `undefined` if it names no label. */
  candidates({ matchLabels = {} }: LabelSelector): readonly KubeObject[] | undefined {
    const pairs = Object.entries(matchLabels)
    if (pairs.length === 0) return undefined
    const found = pairs.map((pair) => this.#objects.get(pair.join('=')) ?? NONE)
    return [...found.reduce((rarest, one) => (one.size < rarest.size ? one : rarest)).values()]
  }

  #add(object: KubeObject): void {
    for (const pair of Object.entries(object.metadata.labels ?? {})) {
      const place = this.#objects.get(pair.join('=')) ?? new Map<string, KubeObject>()
      this.#objects.set(pair.join('='), place.set(formatKey(keyOf(object)), object))
    }
  }

  #remove(object: KubeObject): void {
    for (const pair of Object.entries(object.metadata.labels ?? {})) {
      const place = this.#objects.get(pair.join('='))
      place?.delete(formatKey(keyOf(object)))
      if (place?.size === 0) this.#objects.delete(pair.join('='))
    }
  }
}

const NONE: ReadonlyMap<string, KubeObject> = new Map()

/**
 * What a cache keeps of an object: all but the `managedFields` of others and the copy that kubectl leaves in an annotation. Our own entries
 * stay, since they show whether a field is still as we set it, and so does the name of the last other writer, for messages about drift. The
 * content of an object that is nested too deeply is left out.
 */
export function stripObject(given: KubeObject): KubeObject {
  const object = cutDeepNesting(given)
  const { managedFields, annotations, ...metadata } = object.metadata
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(annotations && { annotations: withoutLastApplied(annotations) }),
      ...(managedFields && { managedFields: entriesToKeep(managedFields) }),
    },
  }
}

function entriesToKeep(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const ours = entries.filter(isOurs)
  if (ours.length === 0) return ours
  const others = entries.filter(
    (entry) => !isOurs(entry) && entry.manager !== undefined && entry.subresource === undefined,
  )
  const [last] = others.sort((left, right) => ((left.time ?? '') < (right.time ?? '') ? 1 : -1))
  return last ? [...ours, { manager: last.manager }] : ours
}

function isOurs({ manager }: ManagedFieldsEntry): boolean {
  return manager?.startsWith('rolebook') === true
}
