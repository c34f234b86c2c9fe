import { explain } from '../../../core/base/coded-error.ts'
import { hashJson } from '../../../core/base/hash.ts'
import type { Reader } from '../../../core/kube/client.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, type GroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import { compileLabelSelector, type LabelSelector, printLabelSelector } from '../../../core/kube/label-selector.ts'
import { cutDeepNesting } from '../../../core/kube/nesting.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { EngineOptions } from '../../reconcile/engine-options.ts'
import type { FoundResource, WatchEntry, WatchedResources } from '../../reconcile/reconciler-ports.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'
import type { Informer } from '../../runtime/informer.ts'
import type { InformerPool } from '../../runtime/informer-pool.ts'
import type { OwnWrites } from '../../runtime/own-writes.ts'
import type { Request } from '../../runtime/reconciler.ts'
import { type Project, reachOf, type WatchedRole } from '../project.ts'

/** Name of the index of resources by uid. */
export const UID_INDEX = 'uid'

/** A watch entry and where it looks. */
export interface WatchSource {
  readonly entry: WatchEntry
  readonly selector: LabelSelector | undefined
  /** Absent: all. */
  readonly namespaces: readonly string[] | undefined
  readonly maxConcurrent: number
  readonly watchDependentResources: boolean
}

export interface WatchedInformersOptions {
  readonly kind: GroupKind
  readonly client: Reader
  readonly pool: InformerPool
  readonly ownWrites: OwnWrites
  readonly holder: string
  readonly onEvent: (source: WatchSource, event: CacheEvent) => void
}

interface Followed {
  readonly source: WatchSource
  readonly informer: Informer
  readonly unsubscribe: () => void
}

/** The resources of one kind that the watch entries select, each with its entry. */
export class WatchedInformers implements WatchedResources {
  readonly #options: WatchedInformersOptions
  #followed: readonly Followed[] = []
  #former: readonly WatchSource[] = []

  constructor(options: WatchedInformersOptions) {
    this.#options = options
  }

  /** Watches these sources from now on. Informers that are still needed go on undisturbed. */
  follow(sources: readonly WatchSource[]): void {
    const { pool, holder } = this.#options
    const former = this.#followed
    const specs = sources.flatMap((source) => specsOf(source).map((spec) => ({ source, spec })))
    this.#followed = specs.map(({ source, spec }) => {
      const informer = pool.acquire(spec, holder)
      const known = former.find((one) => one.informer === informer)
      known?.unsubscribe()
      return { source, informer, unsubscribe: this.#subscribe(source, informer, known !== undefined) }
    })
    for (const { informer, unsubscribe } of former) {
      if (this.#followed.some((one) => one.informer === informer)) continue
      unsubscribe()
      pool.release(informer.spec, holder)
    }
  }

  /** Remembers former entries. A resource that only they select counts as unselected. */
  remember(former: readonly WatchSource[]): void {
    this.#former = former
  }

  /**
   * Subscribes to an informer. A known informer has already delivered its objects to the former handler, so they are skipped.
   *
   * This is a method of its own, because a closure in `follow` would keep the former handlers in memory for ever.
   */
  #subscribe(source: WatchSource, informer: Informer, isKnown: boolean): () => void {
    const { onEvent } = this.#options
    let isSkipping = isKnown
    const unsubscribe = informer.subscribe((event) => {
      if (!isSkipping) onEvent(source, event)
    })
    isSkipping = false
    return unsubscribe
  }

  get informers(): readonly Informer[] {
    return this.#followed.map(({ informer }) => informer)
  }

  get sources(): readonly WatchSource[] {
    return [...new Set(this.#followed.map(({ source }) => source))]
  }

  async find(request: Request, signal: AbortSignal): Promise<FoundResource> {
    const cached = this.#cached(request)
    if (cached) return { kind: 'selected', resource: cached.resource, entry: cached.source.entry }
    const places = [...this.sources, ...this.#former]
    const [first] = places
    if (!first || !places.some(({ selector }) => selector !== undefined)) return { kind: 'gone' }
    const live = await this.#options.client.get(first.entry.gvk, request, { signal })
    if (!live || !places.some((source) => isInside(live, source))) return { kind: 'gone' }
    if (this.sources.some((source) => isSelected(live, source))) return { kind: 'expected' }
    return { kind: 'unselected', resource: cutDeepNesting(live), entry: first.entry }
  }

  latest(request: Request, uid: string): KubeObject | undefined {
    const resource = this.#cached(request)?.resource
    return resource?.metadata.uid === uid ? resource : undefined
  }

  isDeletionDue(request: Request, uid: string): boolean {
    return this.#followed.some(({ informer }) => {
      const resource = informer.cache.get(request)
      return resource?.metadata.uid === uid && !isTerminating(resource)
    })
  }

  sourceOf(request: Request): WatchSource | undefined {
    return this.#cached(request)?.source
  }

  requestByUid(uid: string): Request | undefined {
    for (const { informer } of this.#followed) {
      const [resource] = informer.cache.byIndex(UID_INDEX, uid)
      if (resource) return this.requestFor(resource)
    }
    return undefined
  }

  requestFor(resource: KubeObject): Request {
    const { group, kind } = this.#options.kind
    return { group, kind, ...keyOf(resource) }
  }

  /** All watched resources with their sources. */
  *resources(): IterableIterator<{ readonly resource: KubeObject; readonly source: WatchSource }> {
    for (const { informer, source } of this.#followed) {
      for (const resource of informer.cache.values()) yield { resource, source }
    }
  }

  stop(): void {
    for (const { unsubscribe } of this.#followed) unsubscribe()
    this.#followed = []
    this.#options.pool.releaseAll(this.#options.holder)
  }

  #cached(request: Request): { readonly resource: KubeObject; readonly source: WatchSource } | undefined {
    for (const { informer, source } of this.#followed) {
      const resource = this.#options.ownWrites.read(informer, request)
      if (resource) return { resource, source }
    }
    return undefined
  }
}

/** Whether the source watches the namespace of a resource. It always watches cluster-scoped ones. */
export function isInside({ metadata: { namespace } }: KubeObject, { namespaces }: WatchSource): boolean {
  return namespaces === undefined || namespace === undefined || namespaces.includes(namespace)
}

export function isSelected(resource: KubeObject, source: WatchSource): boolean {
  return isInside(resource, source) && compileLabelSelector(source.selector ?? {})(resource.metadata.labels)
}

function specsOf({
  entry,
  selector,
  namespaces,
}: WatchSource): readonly { gvk: Gvk; namespace?: string; labelSelector?: string }[] {
  const labelSelector = selector && printLabelSelector(selector)
  const common = { gvk: entry.gvk, ...(labelSelector && { labelSelector }) }
  return namespaces === undefined ? [common] : namespaces.map((namespace) => ({ ...common, namespace }))
}

export type SourcesByKind = ReadonlyMap<string, readonly WatchSource[]>

/** The watch entries of a project by group and kind. The entries of one kind share a controller. */
export function sourcesByKind(project: Project, watchNamespaces: readonly string[] | undefined): SourcesByKind {
  const byKind = Map.groupBy(project.watches, ({ watch }) => formatGroupKind(watch.gvk))
  return new Map([...byKind].map(([kind, watched]) => [kind, sourcesOf(watched, watchNamespaces)]))
}

function sourcesOf(
  watched: readonly WatchedRole[],
  watchNamespaces: readonly string[] | undefined,
): readonly WatchSource[] {
  const allowedToKind = watched.map(({ watch }) => watch.allowedNamespaces)
  return watched.map((one) => sourceOf(one, allowedToKind, watchNamespaces))
}

function sourceOf(
  { watch, role }: WatchedRole,
  allowedToKind: WatchEntry['allowedToKind'],
  watchNamespaces: readonly string[] | undefined,
): WatchSource {
  const { gvk, reconcilePeriod, allowedNamespaces, manageStatus, deletion, maxConcurrentReconciles } = watch
  const { read, write } = allowedNamespaces
  const hash = hashJson([role.hash, { read, write }, manageStatus, { ...deletion }])
  return {
    entry: { gvk, role, hash, reconcilePeriod, allowedNamespaces, allowedToKind, manageStatus, deletion },
    selector: watch.selector,
    namespaces: watch.namespaces ?? watchNamespaces,
    maxConcurrent: maxConcurrentReconciles,
    watchDependentResources: watch.watchDependentResources,
  }
}

/** Equal for sources that watch the same objects in the same way, no matter which roles they have. */
export function settingsKey(sources: readonly WatchSource[]): string {
  return hashJson(
    sources.map(({ entry, selector, namespaces, maxConcurrent, watchDependentResources }) => ({
      gvk: entry.gvk,
      reconcilePeriod: entry.reconcilePeriod,
      allowedNamespaces: { ...entry.allowedNamespaces },
      selector,
      namespaces,
      maxConcurrent,
      watchDependentResources,
    })),
  )
}

/** The namespaces that the entries watch together; `undefined` is all. */
export function namespacesOf(sources: readonly WatchSource[]): readonly string[] | undefined {
  const places = sources.map(({ namespaces }) => namespaces)
  return places.every((place) => place !== undefined) ? [...new Set(places.flat())] : undefined
}

/** The kinds that the roles of entries write and read. */
export function kindsOf(sources: readonly WatchSource[]): ReadonlySet<string> {
  return new Set(sources.flatMap(({ entry }) => entry.role.permissions.map(({ gvk }) => formatGroupKind(gvk))))
}

/** The namespaces that the entries and their roles may look into; `undefined` is all. */
export function reachOfSources(sources: readonly WatchSource[]): readonly string[] | undefined {
  return reachOf(sources.map(({ namespaces, entry: { allowedNamespaces } }) => ({ namespaces, allowedNamespaces })))
}

export type KindScopeOptions = Pick<EngineOptions, 'mapper' | 'clock' | 'logger'>

const DISCOVERY_RETRY = 5_000

/** Knows whether a watched kind is namespaced. It asks only if that makes a difference. */
export class KindScope {
  readonly #options: KindScopeOptions
  #isClusterScoped = false

  constructor(options: KindScopeOptions) {
    this.#options = options
  }

  /** Removes the namespaces of the sources of a cluster-scoped kind. */
  apply(sources: readonly WatchSource[]): readonly WatchSource[] {
    if (!this.#isClusterScoped) return sources
    return sources.map((source) => ({ ...source, namespaces: undefined }))
  }

  /** Asks discovery. Resolves soon; if there is no answer by then, it keeps asking and calls `onLate` once there is one. */
  async learn(sources: readonly WatchSource[], signal: AbortSignal, onLate: () => void): Promise<void> {
    const confined = sources.find(({ namespaces }) => namespaces !== undefined)
    if (!confined || (await this.#ask(confined.entry.gvk, signal))) return
    void this.#keepAsking(confined.entry.gvk, signal, onLate)
  }

  /** Resolves to whether the scope is known. Does not wait for long. */
  async #ask(gvk: Gvk, signal: AbortSignal): Promise<boolean> {
    const answered = new AbortController()
    const patience = this.#options.clock.sleep(DISCOVERY_RETRY, AbortSignal.any([signal, answered.signal]))
    const mapping = await Promise.race([this.#mappingFor(gvk), patience])
    answered.abort()
    if (mapping) this.#isClusterScoped = !mapping.namespaced
    return mapping !== undefined
  }

  async #mappingFor(gvk: Gvk): Promise<ResourceMapping | undefined> {
    const { mapper, logger } = this.#options
    try {
      return await mapper.mappingFor(gvk)
    } catch (error) {
      const fields = { kind: formatGroupKind(gvk), error: explain(error) }
      logger.debug('cannot learn whether a kind is namespaced', fields)
      return undefined
    }
  }

  async #keepAsking(gvk: Gvk, signal: AbortSignal, onLate: () => void): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(DISCOVERY_RETRY, signal)
      if (signal.aborted || !(await this.#ask(gvk, signal))) continue
      if (!signal.aborted) onLate()
      return
    }
  }
}
