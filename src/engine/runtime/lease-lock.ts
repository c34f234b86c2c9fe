import type { Clock } from '../../core/base/clock.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { KubeClient, RequestOptions } from '../../core/kube/client.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import { type LeaseRecord, parseLease } from './lease-record.ts'

const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' } as const

export interface LeaseLockOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly key: ObjectKey
  readonly fieldManager: string
  /** Milliseconds that a request may take. */
  readonly timeout: number
}

/** A Lease as it was seen. */
export interface SeenLease {
  readonly record: LeaseRecord
  readonly uid: string
  readonly resourceVersion: string
}

/** One Lease on the server. Every write carries the version that was seen, so that it fails when somebody came first. */
export class LeaseLock {
  readonly #options: LeaseLockOptions

  constructor(options: LeaseLockOptions) {
    this.#options = options
  }

  async read(): Promise<SeenLease | undefined> {
    const { client, key } = this.#options
    const lease = await this.#inTime((options) => client.get(LEASE, key, options))
    return lease && seen(lease)
  }

  async create(spec: JsonObject): Promise<SeenLease> {
    const { client, key, fieldManager } = this.#options
    const { namespace, name } = key
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name }, spec }
    return seen(await this.#inTime((options) => client.create(lease, { ...options, fieldManager })))
  }

  /** Fails with a conflict when the Lease is not as it was seen. */
  async update({ uid, resourceVersion }: SeenLease, spec: JsonObject): Promise<SeenLease> {
    const { client, key, fieldManager } = this.#options
    const patch = { type: 'merge', body: { metadata: { uid, resourceVersion }, spec } } as const
    return seen(await this.#inTime((options) => client.patch(LEASE, key, patch, { ...options, fieldManager })))
  }

  /**
   * The Lease as it is and whenever it changes; `undefined` when it is deleted. Ends when the server ends it. It asks for no
   * version: a server whose data was restored would keep everything back until it reaches that again.
   */
  async *changes(signal: AbortSignal): AsyncGenerator<SeenLease | undefined> {
    const { client, key } = this.#options
    const fieldSelector = `metadata.name=${key.name}`
    for await (const event of client.watch(LEASE, { namespace: key.namespace, fieldSelector, signal })) {
      if (event.type === 'DELETED') yield undefined
      if (event.type === 'ADDED' || event.type === 'MODIFIED') yield seen(event.object)
    }
  }

  /** Whatever the client waits for. */
  async #inTime<Result>(send: (options: RequestOptions) => Promise<Result>): Promise<Result> {
    const { clock, timeout } = this.#options
    const tooLate = Promise.withResolvers<never>()
    const abort = new AbortController()
    const cancel = clock.schedule(timeout, () => {
      const reason = new Error(`no answer came within ${timeout} ms`)
      tooLate.reject(reason)
      abort.abort(reason)
    })
    try {
      return await Promise.race([send({ signal: abort.signal }), tooLate.promise])
    } finally {
      cancel()
    }
  }
}

function seen(lease: KubeObject): SeenLease {
  const { uid = '', resourceVersion = '' } = lease.metadata
  return { record: parseLease(lease), uid, resourceVersion }
}
