import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { Reader } from '../../core/kube/client.ts'
import { compileLabelSelector, type Labels, parseLabelSelector } from '../../core/kube/label-selector.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { differencesOf } from './cache-check.ts'
import type { CacheEvent } from './cache-event.ts'
import { CacheWriter, type Delivery } from './cache-writer.ts'
import { formatSpec, type InformerSpec, type StripObject } from './informer-spec.ts'
import { type IndexFunction, ObjectCache } from './object-cache.ts'
import { REFLECTOR_TIMINGS, Reflector, type ReflectorSink, type ReflectorTimings } from './reflector.ts'
import { isSilence, type RelistReason } from './relist-reason.ts'
import type { Runnable } from './runnable.ts'

export interface InformerOptions {
  readonly client: Reader
  readonly clock: Clock
  readonly logger: Logger
  readonly indexes?: { readonly [name: string]: IndexFunction } | undefined
  /** Defaults to keeping objects as they are. */
  readonly stripObject?: StripObject | undefined
  readonly timings?: Partial<ReflectorTimings> | undefined
  /** About how many milliseconds pass between two comparisons of the cache with the server; 0 is never. Defaults to 6 hours. */
  readonly cacheCheckPeriod?: number | undefined
  /** Called with every list, for metrics. */
  readonly onRelist?: ((spec: InformerSpec, reason: RelistReason) => void) | undefined
  /** A number from 0 to 1. Defaults to `Math.random`. */
  readonly random?: (() => number) | undefined
}

const CACHE_CHECK_PERIOD = 6 * 60 * 60_000

/** A cache of the objects of one kind that is kept equal to the server. It calls its handlers with each change. */
export class Informer implements Runnable {
  readonly spec: InformerSpec
  readonly name: string
  readonly cache: ObjectCache
  /** Why the watch is not live, or was not live last. */
  lastError: unknown
  readonly #options: InformerOptions
  readonly #reflector: Reflector
  readonly #writer: CacheWriter
  readonly #handlers = new Set<(event: CacheEvent) => void>()
  readonly #progressListeners = new Set<() => void>()
  readonly #listListeners = new Set<() => () => void>()
  #selects: ((labels: Labels | undefined) => boolean) | undefined
  #isSynced = false
  #liveSince: number | undefined
  #notLiveSince: number
  /** The interruption that was logged last, until it has ended. */
  #reported: string | undefined

  constructor(spec: InformerSpec, options: InformerOptions) {
    const { client, clock, timings, indexes, stripObject = (object) => object, random = Math.random } = options
    this.spec = spec
    this.name = `informer of ${formatSpec(spec)}`
    this.#options = options
    this.#notLiveSince = clock.monotonic()
    this.cache = new ObjectCache({ indexes })
    this.#writer = new CacheWriter(this.cache, clock, (event) => this.#emit(event))
    const strip = (object: KubeObject): KubeObject => stripObject(object, spec)
    const definedTimings = { ...REFLECTOR_TIMINGS, ...timings }
    this.#reflector = new Reflector({ client, spec, clock, sink: this.#sink(), strip, random, timings: definedTimings })
  }

  /** Whether the cache has been filled once. */
  get isSynced(): boolean {
    return this.#isSynced
  }

  /** Whether an object with these labels is one of those that it watches, as far as labels decide. */
  selects(labels: Labels | undefined): boolean {
    const { labelSelector = '' } = this.spec
    this.#selects ??= compileLabelSelector(parseLabelSelector(labelSelector))
    return this.#selects(labels)
  }

  /** Whether the cache is filled and the watch is open, so that changes are delivered. */
  get live(): boolean {
    return this.#liveSince !== undefined
  }

  /** How many milliseconds it has not been live; 0 if it is live. */
  get blindFor(): number {
    return this.live ? 0 : this.#options.clock.monotonic() - this.#notLiveSince
  }

  /**
   * Calls `handler` with each change. Before it returns, it calls it with all cached objects. The returned function ends the subscription.
   * Handlers must be quick, since the watch waits for them.
   */
  subscribe(handler: (event: CacheEvent) => void): () => void {
    for (const object of this.cache.values()) this.#call(handler, { type: 'added', object, initial: true })
    this.#handlers.add(handler)
    return () => this.#handlers.delete(handler)
  }

  /** Calls `listener` whenever the version of the cache has advanced, with or without changes. The returned function ends that. */
  onProgress(listener: () => void): () => void {
    this.#progressListeners.add(listener)
    return () => this.#progressListeners.delete(listener)
  }

  /**
   * Calls `listener` before a list replaces the cache, and the function that it returns once the list has. The returned function ends that.
   */
  onList(listener: () => () => void): () => void {
    this.#listListeners.add(listener)
    return () => this.#listListeners.delete(listener)
  }

  /** Reports to the handlers that an object is gone. It was made and removed between two lists, so the cache never had it. */
  vanished(object: KubeObject): void {
    this.#emit({ type: 'deleted', object, listed: true })
  }

  /** Resolves only after `signal` aborts. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#reflector.start(signal), this.#checkFromTimeToTime(signal)])
    this.#goBlind()
  }

  /** Lists again as soon as possible. */
  relist(): void {
    this.#reflector.relist('asked')
  }

  /** The period varies by half, so that neither all kinds nor all replicas ask at once. */
  async #checkFromTimeToTime(signal: AbortSignal): Promise<void> {
    const { clock, cacheCheckPeriod = CACHE_CHECK_PERIOD, random = Math.random } = this.#options
    while (cacheCheckPeriod > 0 && !signal.aborted) {
      await clock.sleep(cacheCheckPeriod * (0.5 + random()), signal)
      if (!signal.aborted && this.live && !this.#reflector.isListing) await this.#check(signal)
    }
  }

  /** Lists again if the cache is not what the server has: the watch has lost something. */
  async #check(signal: AbortSignal): Promise<void> {
    const { client, logger } = this.#options
    const watch = formatSpec(this.spec)
    try {
      const different = await differencesOf(this.cache, { client, spec: this.spec, signal })
      if (different.length === 0) return
      const fields = { watch, objects: different.length, first: different.slice(0, 3).join(', ') }
      logger.warn('the cache differs from the server: the watch has lost changes; the kind is listed again', fields)
      this.#reflector.relist('inconsistent')
    } catch (error) {
      if (!signal.aborted) logger.debug('cannot compare the cache with the server', { watch, error: explain(error) })
    }
  }

  #sink(): ReflectorSink {
    const informer = this
    return {
      get resourceVersion() {
        return informer.cache.resourceVersion
      },
      async replace(objects, resourceVersion) {
        const afterwards = [...informer.#listListeners].map((listener) => listener())
        await informer.#writer.replace(objects, resourceVersion)
        informer.#isSynced = true
        informer.#goLive()
        informer.#progressed('applied')
        for (const listed of afterwards) listed()
      },
      apply: (type, object) => informer.#progressed(informer.#writer.apply(type, object)),
      advance: (resourceVersion) => informer.#progressed(informer.#writer.advance(resourceVersion)),
      onLive: () => informer.#goLive(),
      onFailure: (error) => informer.#fail(error),
      onRelist: (reason) => informer.#options.onRelist?.(informer.spec, reason),
    }
  }

  #progressed(delivery: Delivery): Delivery {
    if (delivery === 'applied') for (const listener of this.#progressListeners) listener()
    return delivery
  }

  #goLive(): void {
    if (this.live) return
    this.#liveSince = this.#options.clock.monotonic()
    if (this.#reported === undefined) return
    this.#reported = undefined
    this.#options.logger.info('the watch is live again', { watch: formatSpec(this.spec) })
  }

  #goBlind(): void {
    if (!this.live) return
    this.#liveSince = undefined
    this.#notLiveSince = this.#options.clock.monotonic()
  }

  #fail(error: unknown): void {
    this.#goBlind()
    this.lastError = error
    const cause = explain(error)
    if (this.#reported === cause || isSilence(error)) return
    this.#reported = cause
    const watch = formatSpec(this.spec)
    this.#options.logger.warn('the watch is interrupted; it is tried again', { watch, error: cause })
  }

  #emit(event: CacheEvent): void {
    for (const handler of this.#handlers) this.#call(handler, event)
  }

  #call(handler: (event: CacheEvent) => void, event: CacheEvent): void {
    try {
      handler(event)
    } catch (error) {
      this.#options.logger.error('cannot handle a change: the handler failed', { error: explain(error) })
    }
  }
}
