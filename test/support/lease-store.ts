import { ApiError } from '../../src/core/kube/api-error.ts'
import type { JsonPatchBody, KubeClient, WatchEvent, WatchOptions } from '../../src/core/kube/client.ts'
import { compileLabelSelector, type LabelSelector, parseLabelSelector } from '../../src/core/kube/label-selector.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

/** The way from one process to the store. */
export class StoreLine {
  /** Requests are not done, and no watch delivers anything. */
  isCut = false
  /** The process is stopped: what the store answers waits. */
  isStopped = false
  /** Watches stay open and deliver nothing, as over a connection that has died without a word. */
  isDeaf = false
  #resumed = Promise.withResolvers<void>()
  readonly watchers = new Set<StoreWatcher>()

  /** What waited is delivered. */
  resume(): void {
    this.isStopped = false
    this.#resumed.resolve()
    this.#resumed = Promise.withResolvers()
    for (const watcher of this.watchers) watcher.wake()
  }

  /** Requests are answered again. The watches of before have broken. */
  connect(): void {
    this.isCut = false
    for (const watcher of this.watchers) watcher.fail()
  }

  async untilResumed(): Promise<void> {
    while (this.isStopped) await this.#resumed.promise
  }
}

interface StoreWatcher {
  readonly isAbout: (object: KubeObject) => boolean
  push(event: WatchEvent): void
  wake(): void
  fail(): void
}

/** Leases in memory, with versions, label selectors and watches. */
export class LeaseStore {
  readonly #leases = new Map<string, KubeObject>()
  readonly #lines = new Set<StoreLine>()
  #version = 10

  clientOf(line: StoreLine): KubeClient {
    this.#lines.add(line)
    const serve = async <Result>(run: () => Result): Promise<Result> => {
      if (line.isCut) return new Promise(() => undefined)
      const answer = run()
      await line.untilResumed()
      return answer
    }
    return {
      get: (_gvk, { name }) => serve(() => this.#leases.get(name)),
      list: (_gvk, options) => serve(() => this.#list(options?.labelSelector ?? '')),
      create: (object) => serve(() => this.#create(object)),
      patch: (_gvk, { name }, patch) => serve(() => this.#patch(name, patch)),
      delete: (_gvk, { name }, options) => serve(() => this.#delete(name, options?.resourceVersion)),
      watch: (_gvk, options) => this.#watch(line, options),
      apply: () => Promise.reject(new Error('no part of the test')),
    }
  }

  #list(selector: string) {
    const matches = compileLabelSelector(parseLabelSelector(selector) as LabelSelector)
    const items = [...this.#leases.values()].filter(({ metadata }) => matches(metadata.labels))
    return { items, resourceVersion: String(this.#version) }
  }

  #create(object: KubeObject): KubeObject {
    const { name = '' } = object.metadata
    if (this.#leases.has(name)) throw new ApiError(409, 'AlreadyExists', 'it exists')
    return this.#store({ ...object, metadata: { ...object.metadata, uid: `uid of ${name}` } }, 'ADDED')
  }

  #patch(name: string, { type, body }: JsonPatchBody): KubeObject {
    const lease = this.#leases.get(name)
    if (!lease) throw new ApiError(404, 'NotFound', 'there is none')
    if (type === 'json') return this.#store(patched(lease, body), 'MODIFIED')
    const { metadata, spec } = body as Partial<KubeObject>
    this.#check(lease, metadata?.resourceVersion)
    return this.#store({ ...lease, spec: { ...(lease.spec as object), ...(spec as object) } } as KubeObject, 'MODIFIED')
  }

  #delete(name: string, version: string | undefined): KubeObject | undefined {
    const lease = this.#leases.get(name)
    if (!lease) return undefined
    this.#check(lease, version)
    this.#leases.delete(name)
    this.#version++
    this.#notify({ type: 'DELETED', object: lease })
    return lease
  }

  #check({ metadata }: KubeObject, version: string | undefined): void {
    if (version !== undefined && version !== metadata.resourceVersion)
      throw new ApiError(409, 'Conflict', 'it has changed')
  }

  #store(object: KubeObject, type: 'ADDED' | 'MODIFIED'): KubeObject {
    const lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } }
    this.#leases.set(object.metadata.name ?? '', lease)
    this.#notify({ type, object: lease })
    return lease
  }

  #notify(event: Extract<WatchEvent, { object: KubeObject }>): void {
    for (const line of this.#lines) {
      for (const watcher of line.isCut || line.isDeaf ? [] : line.watchers)
        if (watcher.isAbout(event.object)) watcher.push(event)
    }
  }

  async *#watch(line: StoreLine, { labelSelector, fieldSelector, signal }: WatchOptions): AsyncGenerator<WatchEvent> {
    const matches = compileLabelSelector(parseLabelSelector(labelSelector ?? ''))
    const name = fieldSelector?.replace('metadata.name=', '')
    const isAbout = ({ metadata }: KubeObject): boolean =>
      name === undefined ? matches(metadata.labels) : metadata.name === name
    const queue: WatchEvent[] = []
    let news = Promise.withResolvers<void>()
    const wake = (): void => news.resolve()
    let isBroken = false
    const fail = (): void => {
      isBroken = true
      wake()
    }
    const push = (event: WatchEvent): void => {
      queue.push(event)
      wake()
    }
    const watcher: StoreWatcher = { isAbout, push, wake, fail }
    const present = name === undefined ? undefined : this.#leases.get(name)
    if (present && !line.isCut) push({ type: 'ADDED', object: present })
    line.watchers.add(watcher)
    signal?.addEventListener('abort', wake, { once: true })
    try {
      for (;;) {
        signal?.throwIfAborted()
        if (isBroken) throw new Error('the connection is broken')
        const event = line.isStopped ? undefined : queue.shift()
        if (event) yield event
        else await news.promise
        news = queue.length > 0 && !line.isStopped ? news : Promise.withResolvers()
      }
    } finally {
      line.watchers.delete(watcher)
    }
  }
}

/** Patches two levels deep. */
function patched(lease: KubeObject, operations: Extract<JsonPatchBody, { type: 'json' }>['body']): KubeObject {
  const copy = structuredClone(lease) as unknown as Record<string, Record<string, unknown>>
  for (const { op, path, value } of operations) {
    const [, part = '', field = ''] = path.split('/')
    const inner = copy[part] ?? {}
    if (op === 'add') copy[part] = { ...inner, [field]: value }
    else if (inner[field] !== value) throw new ApiError(422, 'Invalid', 'the test fails')
  }
  return copy as unknown as KubeObject
}
