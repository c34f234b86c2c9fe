import type { Clock } from '../../../core/base/clock.ts'
import { orAborted } from '../../../core/base/or-aborted.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import type { KubeClient, Reader } from '../../../core/kube/client.ts'
import { recording } from '../../../core/kube/client-decorators.ts'
import { formatGvk, type GroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Capabilities } from '../../../core/kube/helm-chart.ts'
import type { OpenApiSource } from '../../../core/kube/openapi-source.ts'
import type { ResourceMapper, ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { RunReport } from '../../reconcile/trace/run-trace.ts'
import { type Request, requestKey } from '../../runtime/reconciler.ts'

export interface UnservedKindsOptions {
  readonly mapper: ResourceMapper
  readonly clock: Clock
  /** Called with the requests that failed while a kind was missing that is served now. */
  readonly onServed: (requests: readonly Request[]) => void
}

/** Milliseconds between two reads of discovery for a kind that is not served. */
export const LOOK_EVERY = 5_000

/**
 * The mapper of one controller. It remembers kinds that were not served, and reads discovery from time to time while runs have failed since.
 * No event exists for a kind whose CRD is installed later.
 */
export class UnservedKinds implements ResourceMapper {
  readonly #options: UnservedKindsOptions
  readonly #missing = new Map<string, Gvk>()
  readonly #failed = new Map<string, Request>()
  #cancel: (() => void) | undefined
  #isStopped = false

  constructor(options: UnservedKindsOptions) {
    this.#options = options
  }

  async mappingFor(gvk: Gvk): Promise<ResourceMapping> {
    return this.#noticed(gvk, this.#options.mapper.mappingFor(gvk))
  }

  preferred(kind: GroupKind): Promise<Gvk | undefined> {
    return this.#options.mapper.preferred(kind)
  }

  async served(): Promise<Capabilities | undefined> {
    return this.#options.mapper.served?.()
  }

  refresh(): void {
    this.#options.mapper.refresh()
  }

  /** Wraps a client. Its answers show sooner than discovery that a kind is not served any more. */
  observing(client: KubeClient): KubeClient {
    const recorded = recording(client, ({ gvk }, error) => this.#notice(gvk, error))
    return {
      ...recorded,
      get: (gvk, key, options) => this.#noticed(gvk, recorded.get(gvk, key, options)),
      list: (gvk, options) => this.#noticed(gvk, recorded.list(gvk, options)),
    }
  }

  /** Notes how a run ended. */
  observe({ request, outcome }: RunReport): void {
    if (outcome === 'failed') this.#failed.set(requestKey(request), request)
    else this.#failed.delete(requestKey(request))
    this.#lookLater()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  async #noticed<T>(gvk: Gvk, answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      this.#notice(gvk, error)
      throw error
    }
  }

  #notice(gvk: Gvk, error: unknown): void {
    if (isNotServed(error)) this.#missing.set(formatGvk(gvk), gvk)
  }

  #lookLater(): void {
    if (this.#failed.size === 0) this.#missing.clear()
    if (this.#isStopped || this.#cancel || this.#missing.size === 0) return
    this.#cancel = this.#options.clock.schedule(LOOK_EVERY, () => void this.#look())
  }

  async #look(): Promise<void> {
    let found = false
    for (const [name, gvk] of [...this.#missing]) {
      if (!(await isServed(this.#options.mapper, gvk))) continue
      found = true
      this.#missing.delete(name)
    }
    this.#cancel = undefined
    if (found && !this.#isStopped) this.#options.onServed([...this.#failed.values()])
    this.#lookLater()
  }
}

/** Whether the kind is served. Another failure of discovery counts as served: the answer to a request will say what is wrong. */
export async function isServed(mapper: Pick<ResourceMapper, 'mappingFor'>, gvk: Gvk): Promise<boolean> {
  try {
    await mapper.mappingFor(gvk)
    return true
  } catch (error) {
    return !isNotServed(error)
  }
}

export function isNotServed(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'KindNotServed'
}

export interface ServedReaderOptions {
  readonly mapper: ResourceMapper
  readonly clock: Clock
}

/**
 * A reader for one informer. After a kind was not served, the next request for it waits until discovery shows the kind. Without that, an
 * informer would fail again and again and wait longer each time.
 */
export function servedReader(reader: Reader, { mapper, clock }: ServedReaderOptions): Reader {
  const missing = new Set<string>()
  const untilServed = async (gvk: Gvk, signal: AbortSignal | undefined): Promise<void> => {
    const name = formatGvk(gvk)
    while (missing.has(name) && !signal?.aborted) {
      if (await orAborted(isServed(mapper, gvk), signal)) missing.delete(name)
      else await clock.sleep(LOOK_EVERY, signal)
    }
    signal?.throwIfAborted()
  }
  const noticed = (gvk: Gvk, error: unknown): unknown => {
    if (isNotServed(error)) missing.add(formatGvk(gvk))
    return error
  }
  return {
    get: (gvk, key, options) => reader.get(gvk, key, options),
    list: async (gvk, options) => {
      await untilServed(gvk, options?.signal)
      try {
        return await reader.list(gvk, options)
      } catch (error) {
        throw noticed(gvk, error)
      }
    },
    watch: async function* (gvk, options) {
      await untilServed(gvk, options.signal)
      try {
        yield* reader.watch(gvk, options)
      } catch (error) {
        throw noticed(gvk, error)
      }
    },
  }
}

interface Discovery {
  readonly mapper: ResourceMapper
  readonly openApi: OpenApiSource
}

/** The same discovery, but no caller waits for an answer once `signal` aborts. Shared requests take no signals of their own. */
export function stoppableDiscovery({ mapper, openApi }: Discovery, signal: AbortSignal): Discovery {
  return {
    mapper: {
      mappingFor: (gvk) => orAborted(mapper.mappingFor(gvk), signal),
      preferred: (kind) => orAborted(mapper.preferred(kind), signal),
      served: () => orAborted(Promise.resolve(mapper.served?.()), signal),
      refresh: () => mapper.refresh(),
    },
    openApi: { document: (gvk) => orAborted(openApi.document(gvk), signal) },
  }
}
