import { explain } from '../../../core/base/coded-error.ts'
import { formatGvk, parseGroupKind } from '../../../core/kube/group-version-kind.ts'
import type { EngineOptions } from '../../reconcile/engine-options.ts'
import { OWNER_UID_LABEL, PATCHED_LABEL } from '../../reconcile/ownership/ownership.ts'
import type { Permission } from '../../role/task-kind.ts'
import type { Informer } from '../../runtime/informer.ts'
import type { InformerSpec } from '../../runtime/informer-spec.ts'
import type { SharedInformers } from './informer-caches.ts'
import { isNotServed } from './unserved-kinds.ts'
import {
  KindScope,
  reachOfSources,
  type SourcesByKind,
  WatchedInformers,
  type WatchSource,
} from './watched-informers.ts'

export type WarmCachesOptions = Pick<EngineOptions, 'client' | 'mapper' | 'clock' | 'logger'> &
  Pick<SharedInformers, 'pool' | 'ownWrites'>

/**
 * Holds the informers that the controllers of a project will need: of its kinds, and of what its roles make and patch. They are filled when
 * this process takes over.
 */
export class WarmCaches {
  readonly #options: WarmCachesOptions
  readonly #kinds = new Map<string, WarmKind>()

  constructor(options: WarmCachesOptions) {
    this.#options = options
  }

  follow(sources: SourcesByKind): void {
    for (const [name, kind] of this.#kinds) {
      if (sources.has(name)) continue
      kind.stop()
      this.#kinds.delete(name)
    }
    for (const [name, ofKind] of sources) {
      const kind = this.#kinds.get(name) ?? new WarmKind(name, this.#options)
      this.#kinds.set(name, kind)
      void kind.follow(ofKind)
    }
  }

  /** The resources of a kind. */
  resources(kind: string): WatchedInformers | undefined {
    return this.#kinds.get(kind)?.resources
  }

  /** All informers that it holds. */
  *informers(): IterableIterator<Informer> {
    for (const kind of this.#kinds.values()) yield* kind.informers
  }

  /** Whether all caches are filled and follow the server. False while discovery has not answered for all kinds. */
  get isLive(): boolean {
    return [...this.#kinds.values()].every((kind) => kind.isLive)
  }

  stop(): void {
    this.follow(new Map())
  }
}

/** The label selectors with which the caches of controllers watch objects, by the access of a role. */
const SELECTORS: Partial<Record<Permission['access'], string>> = { own: OWNER_UID_LABEL, patch: PATCHED_LABEL }

/** Milliseconds between two requests while discovery fails. */
const DISCOVERY_RETRY = 30_000

class WarmKind {
  readonly resources: WatchedInformers
  readonly #options: WarmCachesOptions
  readonly #scope: KindScope
  readonly #holder: string
  readonly #stop = new AbortController()
  #sources: readonly WatchSource[] = []
  /** Informers of children and of patched objects. */
  #held: readonly Informer[] = []
  /** The sources for which discovery has answered for all kinds. */
  #known: readonly WatchSource[] | undefined

  constructor(name: string, options: WarmCachesOptions) {
    this.#options = options
    this.#scope = new KindScope(options)
    const holder = `standby of ${name}`
    this.#holder = `caches of ${holder}`
    this.resources = new WatchedInformers({ ...options, holder, onEvent: () => undefined, kind: parseGroupKind(name) })
  }

  async follow(sources: readonly WatchSource[]): Promise<void> {
    this.#sources = sources
    const watch = (): void => this.resources.follow(this.#scope.apply(this.#sources))
    await this.#scope.learn(sources, this.#stop.signal, watch)
    if (this.#sources !== sources) return
    watch()
    while (this.#sources === sources && !(await this.#fill(sources)))
      await this.#options.clock.sleep(DISCOVERY_RETRY, this.#stop.signal)
  }

  get informers(): readonly Informer[] {
    return [...this.resources.informers, ...this.#held]
  }

  get isLive(): boolean {
    return this.#known === this.#sources && this.informers.every(({ live }) => live)
  }

  stop(): void {
    this.#stop.abort(new Error('the kind is not part of the project any more'))
    this.#sources = []
    this.resources.stop()
    this.#hold([])
  }

  /** Acquires the informers. Resolves to whether discovery has answered for all kinds. */
  async #fill(sources: readonly WatchSource[]): Promise<boolean> {
    const permissions = sources.flatMap(({ entry }) => entry.role.permissions)
    const found = await Promise.all(permissions.map((permission) => this.#lookUp(permission)))
    const isSure = found.every((one) => one.isSure)
    if (this.#sources !== sources) return isSure
    this.#hold(found.flatMap(({ specs }) => specs))
    if (isSure) this.#known = sources
    return isSure
  }

  /** Informers that are still needed go on undisturbed. */
  #hold(specs: readonly InformerSpec[]): void {
    const { pool } = this.#options
    const former = this.#held
    this.#held = specs.map((spec) => pool.acquire(spec, this.#holder))
    for (const informer of former) if (!this.#held.includes(informer)) pool.release(informer.spec, this.#holder)
  }

  /** The specs for a permission. A kind that is not served is not watched, unless it was served before. */
  async #lookUp({ gvk, access }: Permission): Promise<{ specs: readonly InformerSpec[]; isSure: boolean }> {
    const labelSelector = SELECTORS[access]
    if (labelSelector === undefined) return { specs: [], isSure: true }
    const { mapper, logger } = this.#options
    const kind = formatGvk(gvk)
    try {
      const { namespaced } = await mapper.mappingFor(gvk)
      const namespaces = namespaced ? reachOfSources(this.#sources) : undefined
      const specs = (namespaces ?? [undefined]).map((namespace) => ({ gvk, namespace, labelSelector }))
      return { specs, isSure: true }
    } catch (error) {
      logger.debug('cannot fill a cache before it is needed', { kind, error: explain(error) })
      const specs = this.#held.map(({ spec }) => spec).filter((spec) => formatGvk(spec.gvk) === kind)
      return { specs, isSure: isNotServed(error) }
    }
  }
}
