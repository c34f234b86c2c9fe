import { orAborted } from '../../../core/base/or-aborted.ts'
import { ApiError, isForbidden, isGone, isNotFound, isTransient } from '../../../core/kube/api-error.ts'
import type { KubeClient, Reader } from '../../../core/kube/client.ts'
import { recording } from '../../../core/kube/client-decorators.ts'
import { formatGvk, type GroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Capabilities } from '../../../core/kube/helm-chart.ts'
import type { ResourceMapper, ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { EngineOptions } from '../../reconcile/engine-options.ts'
import type { RunReport } from '../../reconcile/trace/run-trace.ts'
import type { Informer } from '../../runtime/informer.ts'
import { type InformerSpec, specKey } from '../../runtime/informer-spec.ts'
import { type Request, requestKey } from '../../runtime/reconciler.ts'

export interface UnservedKindsOptions extends Pick<EngineOptions, 'mapper' | 'clock'> {
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

export type ServedReaderOptions = Pick<EngineOptions, 'mapper' | 'clock'>

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

type Discovery = Pick<EngineOptions, 'mapper' | 'openApi'>

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

type Listener = (error: ApiError) => void

/**
 * Ends the wait for the first list of a kind if there will be none for now: the kind is not served, the operator may not read it, or the
 * server does not answer. Informers themselves only keep trying.
 */
export class WatchFailures {
  readonly #listeners = new Map<string, Set<Listener>>()

  /** Wraps the reader of an informer, so that its failures are reported. */
  observe(reader: Reader): Reader {
    return {
      get: (gvk, key, options) => reader.get(gvk, key, options),
      list: async (gvk, options) => {
        try {
          return await reader.list(gvk, options)
        } catch (error) {
          // Pages that have expired are no failure: the informer lists again.
          if (!isGone(error)) this.#report({ ...options, gvk }, error)
          throw error
        }
      },
      watch: (gvk, options) => this.#watch({ ...options, gvk }, reader.watch(gvk, options)),
    }
  }

  /** Resolves when the cache of the informer is filled. Rejects if the list fails first, or has failed before. */
  async synced(informer: Informer): Promise<void> {
    if (informer.isSynced) return
    if (isLasting(informer.lastError)) throw informer.lastError
    // Each caller has its own promise. Reactions to a shared one would stay while the cache is empty, which may be for ever.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stops = [informer.onProgress(resolve), this.#listen(informer.spec, reject)]
    try {
      await promise
    } finally {
      for (const stop of stops) stop()
    }
  }

  async *#watch(spec: InformerSpec, events: ReturnType<Reader['watch']>): ReturnType<Reader['watch']> {
    try {
      yield* events
    } catch (error) {
      // A server that refuses to stream a list is not a failure: the informer asks for pages then.
      if (isLasting(error)) this.#report(spec, error)
      throw error
    }
  }

  #listen(spec: InformerSpec, listener: Listener): () => void {
    const key = specKey(spec)
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key)
    }
  }

  #report(spec: InformerSpec, error: unknown): void {
    if (!(error instanceof ApiError)) return
    for (const listener of [...(this.#listeners.get(specKey(spec)) ?? [])]) listener(error)
  }
}

function isLasting(error: unknown): boolean {
  const isUnauthorized = error instanceof ApiError && error.httpStatus === 401
  return isUnauthorized || isForbidden(error) || isNotFound(error) || isTransient(error)
}
