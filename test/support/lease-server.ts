import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import { ApiError } from '../../src/core/kube/api-error.ts'
import type { JsonPatchBody, KubeClient, RequestOptions, WatchEvent } from '../../src/core/kube/client.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

/** What goes wrong between one process and the server. */
export interface Line {
  /** Answers are never given: the request is not done, or done without the process knowing. */
  fault: 'none' | 'cut' | 'answer lost' | 'conflict' | 'refused' | 'failing'
  /** Lets the answer go that is held. */
  release: (() => void) | undefined
  holdsWrites: boolean
  holdsReads: boolean
  watchable: boolean
  /** The process is stopped: answers and events wait in its sockets. */
  isStopped: boolean
  readonly listeners: Set<() => void>
}

/** A server with one Lease, in memory: optimistic locking, watches, and lines that fail at the tests' command. */
export class LeaseServer {
  lease: KubeObject | undefined
  /** Writes that were done, as `a: create`. */
  readonly writes: string[] = []
  /** Requests of any kind that came in. */
  requests = 0
  readonly #watchers = new Set<(event: WatchEvent) => void>()
  #version = 10
  #uids = 0

  get spec(): JsonObject {
    return isJsonObject(this.lease?.spec) ? this.lease.spec : {}
  }

  /** As a person does. */
  edit(spec: JsonObject): void {
    this.#store({ ...(this.lease as KubeObject), spec: { ...this.spec, ...spec } }, 'MODIFIED')
  }

  remove(): void {
    const lease = this.lease as KubeObject
    this.lease = undefined
    this.#notify({ type: 'DELETED', object: lease })
  }

  /** An event that does not follow from what happened. */
  inject(event: WatchEvent): void {
    this.#notify(event)
  }

  endWatches(): void {
    this.#notify({ type: 'ERROR', status: { code: 410 } })
  }

  /** What it returns sets everything back to how it is now, the versions too, as one does who restores etcd. */
  backUp(): () => void {
    const [lease, version] = [this.lease, this.#version]
    return () => {
      this.lease = lease
      this.#version = version
      this.endWatches()
    }
  }

  clientOf(name: string, line: Line): KubeClient {
    const refuse = (): never => {
      throw new Error('no part of the test')
    }
    return {
      get: (_gvk, _key, options) => this.#serve(line, this.#read, options),
      create: (object, options) => this.#serve(line, () => this.#create(name, object), options),
      patch: (_gvk, _key, patch, options) => this.#serve(line, () => this.#patch(name, patch), options),
      watch: (_gvk, { signal }) => this.#watch(line, signal),
      list: refuse,
      apply: refuse,
      delete: refuse,
    }
  }

  readonly #read = (): KubeObject | undefined => this.lease

  async #serve<Result>(line: Line, run: () => Result, { signal }: RequestOptions = {}): Promise<Result> {
    this.requests++
    const { fault } = line
    if (fault === 'cut') return never(signal)
    if (fault === 'failing') throw new ApiError(500, 'InternalError', 'it fails')
    if (fault === 'conflict' && run !== this.#read) throw new ApiError(409, 'Conflict', 'another client was quicker')
    if (fault === 'refused' && run !== this.#read) throw new ApiError(403, 'Forbidden', 'it is not allowed')
    const answer = run()
    if (fault === 'answer lost') return never(signal)
    if (run === this.#read ? line.holdsReads : line.holdsWrites) {
      await new Promise<void>((resolve) => {
        line.release = resolve
      })
    }
    return answer
  }

  #create(by: string, object: KubeObject): KubeObject {
    if (this.lease) throw new ApiError(409, 'AlreadyExists', 'the lease exists')
    this.writes.push(`${by}: create`)
    const metadata = { ...object.metadata, uid: `uid-${++this.#uids}` }
    return this.#store({ ...object, metadata }, 'ADDED')
  }

  #patch(by: string, patch: JsonPatchBody): KubeObject {
    if (!this.lease) throw new ApiError(404, 'NotFound', 'there is no lease')
    const { metadata, spec } = patch.body as { metadata: KubeObject['metadata']; spec: JsonObject }
    const { uid, resourceVersion } = this.lease.metadata
    if (metadata.uid !== uid || metadata.resourceVersion !== resourceVersion)
      throw new ApiError(409, 'Conflict', 'the lease has changed')
    this.writes.push(`${by}: ${spec.holderIdentity === '' ? 'release' : 'update'}`)
    return this.#store({ ...this.lease, spec: { ...this.spec, ...spec } }, 'MODIFIED')
  }

  #store(object: KubeObject, type: 'ADDED' | 'MODIFIED'): KubeObject {
    const lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } }
    this.lease = lease
    this.#notify({ type, object: lease })
    return lease
  }

  #notify(event: WatchEvent): void {
    for (const watcher of this.#watchers) watcher(event)
  }

  async *#watch(line: Line, signal: AbortSignal | undefined): AsyncGenerator<WatchEvent> {
    if (!line.watchable) throw new ApiError(403, 'Forbidden', 'leases may not be watched')
    const queue: WatchEvent[] = this.lease ? [{ type: 'ADDED', object: this.lease }] : []
    let resume = (): void => undefined
    const watcher = (event: WatchEvent): void => {
      if (line.fault !== 'cut') queue.push(event)
      resume()
    }
    this.#watchers.add(watcher)
    line.listeners.add(() => resume())
    signal?.addEventListener('abort', () => resume(), { once: true })
    try {
      for (;;) {
        signal?.throwIfAborted()
        const event = line.isStopped ? undefined : queue.shift()
        if (event) yield event
        if (event?.type === 'ERROR') return
        if (!event)
          await new Promise<void>((resolve) => {
            resume = resolve
          })
      }
    } finally {
      this.#watchers.delete(watcher)
    }
  }
}

function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}
