import type { Clock } from '../base/clock.ts'
import { explain } from '../base/coded-error.ts'
import type { Logger } from '../base/logger.ts'
import { reachOf } from '../config/reach.ts'
import type { Reader } from '../kube/client.ts'
import { formatGvk, type Gvk, parseGroupKind } from '../kube/group-version-kind.ts'
import type { ResourceMapper } from '../kube/resource-mapper.ts'
import type { InformerPool } from '../runtime/informer-pool.ts'
import type { OwnWrites } from '../runtime/own-writes.ts'
import { InformerCaches } from './informer-caches.ts'
import { KindScope } from './kind-scope.ts'
import type { SourcesByKind } from './project-reload.ts'
import type { UnseenWrites } from './unseen-writes.ts'
import type { WatchFailures } from './watch-failures.ts'
import { placeOf } from './watch-sources.ts'
import { WatchedInformers, type WatchSource } from './watched-informers.ts'

export interface WarmCachesOptions {
  readonly client: Reader
  readonly mapper: ResourceMapper
  readonly pool: InformerPool
  readonly ownWrites: OwnWrites
  readonly unseen: UnseenWrites
  readonly failures: WatchFailures
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Holds the informers that the controllers of a project need whatever happens: of its kinds, and of what its roles make and
 * patch. A process that takes over finds them filled.
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

  stop(): void {
    this.follow(new Map())
  }
}

class WarmKind {
  readonly resources: WatchedInformers
  readonly #options: WarmCachesOptions
  readonly #scope: KindScope
  readonly #caches: InformerCaches
  readonly #stop = new AbortController()
  #sources: readonly WatchSource[] = []

  constructor(name: string, options: WarmCachesOptions) {
    this.#options = options
    this.#scope = new KindScope(options)
    const ports = { ...options, holder: `standby of ${name}`, onEvent: () => undefined }
    this.resources = new WatchedInformers({ ...ports, kind: parseGroupKind(name) })
    const namespaces = (): readonly string[] | undefined => reachOf(this.#sources.map(placeOf))
    this.#caches = new InformerCaches({ ...ports, holder: `caches of ${ports.holder}`, namespaces })
  }

  async follow(sources: readonly WatchSource[]): Promise<void> {
    this.#sources = sources
    const { signal } = this.#stop
    const watch = (): void => this.resources.follow(this.#scope.apply(this.#sources))
    await this.#scope.learn(sources, signal, watch)
    if (signal.aborted) return
    watch()
    const permissions = sources.flatMap(({ entry }) => entry.role.permissions)
    for (const { gvk, access } of permissions) {
      if (access === 'own') void this.#fill(gvk, () => this.#caches.children(gvk, ''))
      if (access === 'patch') void this.#fill(gvk, () => this.#caches.patched(gvk))
    }
  }

  stop(): void {
    this.#stop.abort(new Error('nobody need be ready to take over'))
    this.resources.stop()
    this.#caches.stop()
  }

  /** A kind that is not served is not watched: perhaps no run ever needs it. */
  async #fill(gvk: Gvk, look: () => Promise<unknown>): Promise<void> {
    try {
      await this.#options.mapper.mappingFor(gvk)
      await look()
    } catch (error) {
      this.#options.logger.debug('cannot fill a cache before it is needed', {
        kind: formatGvk(gvk),
        error: explain(error),
      })
    }
  }
}
