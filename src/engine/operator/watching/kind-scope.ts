import type { Clock } from '../../../core/base/clock.ts'
import { explain } from '../../../core/base/coded-error.ts'
import type { Logger } from '../../../core/base/logger.ts'
import { formatGroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { ResourceMapper, ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { WatchSource } from './watched-informers.ts'

export interface KindScopeOptions {
  readonly mapper: ResourceMapper
  readonly clock: Clock
  readonly logger: Logger
}

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
