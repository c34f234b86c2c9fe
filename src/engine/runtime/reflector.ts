import type { Clock } from '../../core/base/clock.ts'
import { CodedError } from '../../core/base/coded-error.ts'
import type { Reader, WatchEvent, WatchOptions } from '../../core/kube/client.ts'
import { formatKey, type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { ChangeType, Delivery } from './cache-writer.ts'
import type { InformerSpec } from './informer-spec.ts'
import { listAll } from './list-all.ts'
import { ReconnectPolicy, type SessionEnd } from './reconnect-policy.ts'
import { errorOfStatus, isSilence, type RelistReason } from './relist-reason.ts'
import { compareResourceVersions } from './resource-version.ts'
import { Watchdog } from './watchdog.ts'

/** The target of a reflector. */
export interface ReflectorSink {
  /** Everything up to this version has been delivered. Empty before the first list. */
  readonly resourceVersion: string
  /** Replaces all objects. The sink is live afterwards. */
  replace(objects: ReadonlyMap<string, KubeObject>, resourceVersion: string): Promise<void>
  apply(type: ChangeType, object: KubeObject): Delivery
  advance(resourceVersion: string | undefined): Delivery
  /** Called when the stream is open and delivers. */
  onLive(): void
  /** Called when the stream is not open. It will be tried again. */
  onFailure(error: unknown): void
  onRelist(reason: RelistReason): void
}

export interface ReflectorOptions {
  readonly client: Reader
  readonly spec: InformerSpec
  readonly clock: Clock
  readonly sink: ReflectorSink
  readonly strip: (object: KubeObject) => KubeObject
  readonly timings: ReflectorTimings
  readonly random: () => number
}

export interface ReflectorTimings {
  /** Milliseconds of silence after which a watch counts as broken. */
  readonly idleDeadline: number
}

/** Servers send a bookmark each minute. */
export const REFLECTOR_TIMINGS: ReflectorTimings = { idleDeadline: 90_000 }

/** The least number of seconds for which a watch is requested; up to as many are added at random. As client-go. */
const WATCH_LIFE = 300

/** One list, one watch, or both. */
interface Session {
  readonly abort: AbortController
  readonly startedAt: number
  /** Whether the server has answered at all. */
  opened: boolean
  /** Whether it delivered something new. */
  progress: boolean
}

/**
 * Keeps a sink equal to the server: it lists, then watches, until it is stopped.
 *
 * It lists as a stream (WatchList) if the server supports that, else in pages. A watch that ends or falls silent is resumed at the last version.
 * A new list is made if the server has dropped that version, if the watch contradicts itself, and if streams stay empty; never by a timer.
 */
export class Reflector {
  readonly #options: ReflectorOptions
  readonly #policy: ReconnectPolicy
  #session: Session | undefined

  constructor(options: ReflectorOptions) {
    this.#options = options
    this.#policy = new ReconnectPolicy(options.random)
  }

  /** Resolves only after `signal` aborts. */
  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const delay = await this.#runSession(signal)
      if (delay > 0 && !signal.aborted) await this.#options.clock.sleep(delay, signal)
    }
  }

  /** Whether the sink is not equal to the server at any version: the first list, or a new one, has not been delivered completely. */
  get isListing(): boolean {
    return this.#policy.relist !== undefined
  }

  /** Lists again as soon as possible. */
  relist(reason: RelistReason = 'asked'): void {
    if (this.#policy.relist) return
    this.#policy.relist = reason
    this.#session?.abort.abort(new CodedError('Relist', 'a new list was requested'))
  }

  /** Lists if necessary and watches until the stream ends. Returns the milliseconds to wait before the next session. */
  async #runSession(signal: AbortSignal): Promise<number> {
    const abort = new AbortController()
    const stop = (): void => abort.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const session = { abort, startedAt: this.#options.clock.monotonic(), opened: false, progress: false }
    this.#session = session
    const delay = await this.#delayAfter(session, signal)
    this.#session = undefined
    signal.removeEventListener('abort', stop)
    return delay
  }

  async #delayAfter(session: Session, signal: AbortSignal): Promise<number> {
    try {
      await this.#listAndWatch(session)
      return this.#afterOrderlyEnd(session)
    } catch (error) {
      return signal.aborted ? 0 : this.#afterFailure(session, error)
    }
  }

  async #listAndWatch(session: Session): Promise<void> {
    const { sink, client, spec, strip } = this.#options
    const { relist, streamsList, pageSize } = this.#policy
    if (relist) sink.onRelist(relist)
    if (relist && streamsList) return this.#watch(session, new Map())
    if (relist) {
      const list = await listAll(client, spec, { limit: pageSize, signal: session.abort.signal, strip })
      await this.#replace(list.objects, list.resourceVersion, session)
    }
    if (this.#policy.confirms) await this.#confirm(session)
    await this.#watch(session)
  }

  /** Rejects if the server is behind what is known. */
  async #confirm({ abort }: Session): Promise<void> {
    const { sink, client, spec } = this.#options
    const { gvk, namespace, labelSelector } = spec
    const query = { namespace, labelSelector, metadataOnly: true, limit: 1, signal: abort.signal }
    const { resourceVersion } = await client.list(gvk, query)
    const order = compareResourceVersions(resourceVersion, sink.resourceVersion)
    if (order !== undefined && order < 0) {
      throw new CodedError('OutOfOrder', `cannot resume the watch: the server has gone back to ${resourceVersion}`)
    }
    this.#policy.confirms = false
  }

  /** Watches. With `initial`, existing objects come first and are collected until the server marks their end. */
  async #watch(session: Session, initial?: Map<string, KubeObject>): Promise<void> {
    const { clock, timings, client, spec } = this.#options
    const silence = new CodedError('WatchSilent', 'the watch is silent: the server may be gone')
    const watchdog = new Watchdog(clock, timings.idleDeadline, () => session.abort.abort(silence))
    let collecting = initial
    try {
      for await (const event of client.watch(spec.gvk, this.#watchOptions(session, initial !== undefined))) {
        watchdog.touch()
        session.opened = true
        if (event.type === 'ERROR') throw errorOfStatus(event.status)
        if (!collecting) this.#deliver(event, session)
        else if (await this.#collect(event, collecting, session)) collecting = undefined
      }
    } finally {
      watchdog.stop()
    }
    session.abort.signal.throwIfAborted()
    session.opened = true
    if (collecting) throw new CodedError('NoInitialEvents', 'the watch ended before it had sent all objects')
  }

  #watchOptions({ abort }: Session, initial: boolean): WatchOptions {
    const { spec, sink, random } = this.#options
    const { namespace, labelSelector, metadataOnly } = spec
    const common = { namespace, labelSelector, metadataOnly, signal: abort.signal }
    // A list may take as long as the server lets it. Cut off, it would start anew each time.
    if (initial) return { ...common, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
    const timeoutSeconds = Math.floor(WATCH_LIFE * (1 + random()))
    return { ...common, timeoutSeconds, resourceVersion: sink.resourceVersion }
  }

  /** Collects one of the initial events. Returns true for the bookmark that ends them. */
  async #collect(event: DataEvent, objects: Map<string, KubeObject>, session: Session): Promise<boolean> {
    const { metadata } = event.object
    if (event.type !== 'BOOKMARK') {
      const key = formatKey(keyOf(event.object))
      if (event.type === 'DELETED') objects.delete(key)
      else objects.set(key, this.#options.strip(event.object))
      return false
    }
    if (metadata.annotations?.[INITIAL_EVENTS_END] !== 'true') return false
    const { resourceVersion = '' } = metadata
    await this.#replace(objects, resourceVersion, session)
    return true
  }

  async #replace(objects: ReadonlyMap<string, KubeObject>, version: string, session: Session): Promise<void> {
    const { sink } = this.#options
    if (!this.#policy.accepts(version, sink.resourceVersion)) {
      throw new CodedError('OutOfOrder', `cannot believe the list: it is older (${version}) than what is known`)
    }
    await sink.replace(objects, version)
    session.progress = true
    this.#policy.listed()
  }

  #deliver(event: DataEvent, session: Session): void {
    const { sink, strip } = this.#options
    const { type, object } = event
    sink.onLive()
    const version = object.metadata.resourceVersion
    const delivery = type === 'BOOKMARK' ? sink.advance(version) : sink.apply(type, strip(object))
    if (delivery === 'outOfOrder') {
      throw new CodedError('OutOfOrder', `cannot follow the watch: it goes back to version ${version}`)
    }
    if (delivery !== 'applied') return
    session.progress = true
    this.#policy.advanced()
  }

  #afterOrderlyEnd(session: Session): number {
    const end = this.#endOf(session)
    const delay = this.#policy.afterOrderlyEnd(end)
    const empty = new CodedError('WatchEmpty', 'the watch ended without an event')
    if (delay > 0 && !end.progress) this.#options.sink.onFailure(empty)
    return delay
  }

  #afterFailure(session: Session, error: unknown): number {
    if (error instanceof CodedError && error.code === 'Relist') return 0
    // Some servers send no bookmarks for kinds that never change. Whether this one is gone shows in the next request.
    const isDoubt = isSilence(error) && session.opened
    if (!isDoubt) this.#options.sink.onFailure(error)
    return this.#policy.afterFailure(error, this.#endOf(session))
  }

  #endOf({ startedAt, opened, progress }: Session): SessionEnd {
    return { opened, progress, lived: this.#options.clock.monotonic() - startedAt }
  }
}

type DataEvent = Exclude<WatchEvent, { type: 'ERROR' }>

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'
