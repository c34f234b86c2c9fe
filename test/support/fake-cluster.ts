import type { Clock } from '../../src/core/base/clock.ts'
import { ApiError } from '../../src/core/kube/api-error.ts'
import type { ListOptions, ObjectList, Reader, WatchEvent, WatchOptions } from '../../src/core/kube/client.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../src/core/kube/object.ts'

export const CONFIG_MAP: Gvk = { group: '', version: 'v1', kind: 'ConfigMap' }

/** One kind of objects with the list and watch of an API server, in memory, whose faults are at the tests' command. */
export class FakeCluster implements Reader {
  readonly objects = new Map<string, KubeObject>()
  readonly calls: string[] = []
  /** Refuses to stream lists, as servers before 1.32 do. */
  withoutWatchList = false
  /** How an expired version is refused. */
  expiry: 'http' | 'event' | 'empty' = 'event'
  /** Errors that the next calls get; `undefined` lets one pass. */
  readonly refusals: (Error | undefined)[] = []
  version = 100
  readonly #log: { readonly version: number; readonly event: DataEvent }[] = []
  readonly #streams = new Set<Stream>()
  #compacted = 0
  #uid = 0

  put(name: string, data: Record<string, string> = {}): KubeObject {
    const key = { namespace: 'default', name }
    const old = this.objects.get(formatKey(key))
    const uid = old?.metadata.uid ?? `uid-${++this.#uid}`
    const metadata = { ...key, uid, resourceVersion: String(++this.version), labels: data }
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
    this.objects.set(formatKey(key), object)
    this.#happen({ type: old ? 'MODIFIED' : 'ADDED', object })
    return object
  }

  remove(name: string): KubeObject | undefined {
    const key = formatKey({ namespace: 'default', name })
    const old = this.objects.get(key)
    if (!old) return undefined
    this.objects.delete(key)
    const object = { ...old, metadata: { ...old.metadata, resourceVersion: String(++this.version) } }
    this.#happen({ type: 'DELETED', object })
    return object
  }

  /** Sends what does not follow from what happened. */
  inject(event: WatchEvent): void {
    for (const stream of this.#streams) stream.push(event)
  }

  bookmark(version = this.version): void {
    this.inject({ type: 'BOOKMARK', object: bookmarkAt(version) })
  }

  /** Forgets history, so that no watch can resume before now. */
  compact(): void {
    this.#compacted = this.version
  }

  /** Ends all streams, in order or with an error. */
  endStreams(error?: Error): void {
    for (const stream of this.#streams) stream.end(error)
  }

  /** Open streams deliver nothing more, as if packets were lost. */
  freezeStreams(): void {
    for (const stream of this.#streams) stream.frozen = true
  }

  /** Loses what happened after a version, as an etcd restored from a backup. */
  restore(version: number, objects: readonly KubeObject[]): void {
    this.version = version
    this.objects.clear()
    for (const object of objects) this.objects.set(formatKey(keyOf(object)), object)
    this.#log.length = 0
    this.endStreams(new ApiError(0, 'NoAnswer', 'the server restarts'))
  }

  get openStreams(): number {
    return this.#streams.size
  }

  async get(_gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined> {
    return this.objects.get(formatKey(key))
  }

  async list(_gvk: Gvk, { limit, continue: token, resourceVersion: exact }: ListOptions = {}): Promise<ObjectList> {
    this.calls.push(token ? 'page' : exact ? `list at ${exact}` : limit === undefined ? 'list all' : 'list')
    this.#refuse()
    if (exact && exact !== String(this.version)) throw new ApiError(410, 'Expired', 'too old resource version')
    const [version, start] = token ? token.split(':').map(Number) : [this.version, 0]
    if (version !== this.version) throw new ApiError(410, 'Expired', 'the continue token is too old')
    const end = limit === undefined ? this.objects.size : (start ?? 0) + limit
    const items = [...this.objects.values()].slice(start, end)
    const more = end < this.objects.size
    return { items, resourceVersion: String(version), ...(more && { continue: `${version}:${end}` }) }
  }

  async *watch(_gvk: Gvk, options: WatchOptions): AsyncGenerator<WatchEvent> {
    this.calls.push(options.sendInitialEvents ? 'stream list' : `watch ${options.resourceVersion}`)
    this.#refuse()
    if (options.sendInitialEvents && this.withoutWatchList)
      throw new ApiError(422, 'Invalid', 'sendInitialEvents is forbidden')
    const stream = new Stream(options.signal)
    this.#streams.add(stream)
    try {
      if (options.sendInitialEvents) this.#sendAll(stream)
      else this.#resume(stream, Number(options.resourceVersion))
      yield* stream.events()
    } finally {
      this.#streams.delete(stream)
    }
  }

  #sendAll(stream: Stream): void {
    for (const object of this.objects.values()) stream.push({ type: 'ADDED', object })
    const annotations = { 'k8s.io/initial-events-end': 'true' }
    stream.push({ type: 'BOOKMARK', object: bookmarkAt(this.version, annotations) })
  }

  #resume(stream: Stream, version: number): void {
    if (version < this.#compacted) {
      if (this.expiry === 'http') throw new ApiError(410, 'Expired', 'too old resource version')
      if (this.expiry === 'event') stream.push({ type: 'ERROR', status: { code: 410, reason: 'Expired' } })
      stream.end()
      return
    }
    stream.push({ type: 'BOOKMARK', object: bookmarkAt(version) })
    for (const entry of this.#log) if (entry.version > version) stream.push(entry.event)
  }

  #happen(event: DataEvent): void {
    this.#log.push({ version: this.version, event })
    this.inject(event)
  }

  #refuse(): void {
    const error = this.refusals.shift()
    if (error) throw error
  }
}

/** Makes watches of a cluster live as those of an API server: they get a bookmark each minute and end when their time is up. */
export function beLikeAServer(cluster: FakeCluster, clock: Clock): void {
  const watch = cluster.watch.bind(cluster)
  cluster.watch = async function* (gvk, options) {
    const { timeoutSeconds = 1800 } = options
    const ticks = (left: number): (() => void) => {
      let cancel = clock.schedule(Math.min(left, 60_000), () => {
        if (left <= 60_000) return cluster.endStreams()
        cluster.bookmark()
        cancel = ticks(left - 60_000)
      })
      return () => cancel()
    }
    const cancel = ticks(timeoutSeconds * 1000)
    try {
      yield* watch(gvk, options)
    } finally {
      cancel()
    }
  }
}

type DataEvent = { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }

function bookmarkAt(version: number, annotations?: Record<string, string>): KubeObject {
  const metadata = { resourceVersion: String(version), ...(annotations && { annotations }) }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata }
}

/** The events that one watch still has to deliver. */
class Stream {
  frozen = false
  readonly #queue: WatchEvent[] = []
  readonly #signal: AbortSignal | undefined
  #ended = false
  #error: Error | undefined
  #resume: () => void = () => undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
    signal?.addEventListener('abort', () => this.#resume(), { once: true })
  }

  push(event: WatchEvent): void {
    if (this.frozen) return
    this.#queue.push(event)
    this.#resume()
  }

  end(error?: Error): void {
    if (this.frozen) return
    this.#ended = true
    this.#error = error
    this.#resume()
  }

  async *events(): AsyncGenerator<WatchEvent> {
    for (;;) {
      this.#signal?.throwIfAborted()
      const event = this.#queue.shift()
      if (event) yield event
      else if (this.#error) throw this.#error
      else if (this.#ended) return
      else
        await new Promise<void>((resolve) => {
          this.#resume = resolve
        })
    }
  }
}
