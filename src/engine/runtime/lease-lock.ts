import type { Clock } from '../../core/base/clock.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { KubeClient, RequestOptions } from '../../core/kube/client.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import { LEASE, type LeaseRecord, parseLease } from './lease-record.ts'

export interface LeaseLockOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly key: ObjectKey
  readonly fieldManager: string
  /** Milliseconds that a request may take. */
  readonly timeout: number
}

/** A Lease as it was read. */
export interface SeenLease {
  readonly record: LeaseRecord
  readonly uid: string
  readonly resourceVersion: string
}

/** One Lease on the server. Every write carries the version that was read, so that it fails if the Lease has changed. */
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

  /** Updates the Lease. Fails with a conflict if it has changed since it was read. */
  async update({ uid, resourceVersion }: SeenLease, spec: JsonObject): Promise<SeenLease> {
    const { client, key, fieldManager } = this.#options
    const patch = { type: 'merge', body: { metadata: { uid, resourceVersion }, spec } } as const
    return seen(await this.#inTime((options) => client.patch(LEASE, key, patch, { ...options, fieldManager })))
  }

  /**
   * Renews the Lease for all processes that hold it under one name. It carries no version, as the others write it all the time; the server compares the
   * holder instead. Fails with 422 if another one holds it now.
   */
  async renewTogether({ uid, record }: SeenLease, { renewTime, leaseDurationSeconds }: JsonObject): Promise<SeenLease> {
    const { client, key, fieldManager } = this.#options
    const body = [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path: '/spec/holderIdentity', value: record.holder },
      { op: 'add', path: '/spec/leaseDurationSeconds', value: leaseDurationSeconds ?? null },
      { op: 'add', path: '/spec/renewTime', value: renewTime ?? null },
    ] as const
    const patch = { type: 'json', body } as const
    return seen(await this.#inTime((options) => client.patch(LEASE, key, patch, { ...options, fieldManager })))
  }

  /**
   * Yields the Lease as it is and after each change; `undefined` after its deletion. Ends when the server ends the watch. It requests no
   * version: a server whose data was restored would deliver nothing until it reaches that version again.
   */
  async *changes(signal: AbortSignal): AsyncGenerator<SeenLease | undefined> {
    const { client, key } = this.#options
    const fieldSelector = `metadata.name=${key.name}`
    for await (const event of client.watch(LEASE, { namespace: key.namespace, fieldSelector, signal })) {
      if (event.type === 'DELETED') yield undefined
      if (event.type === 'ADDED' || event.type === 'MODIFIED') yield seen(event.object)
    }
  }

  /** Sends a request with a timeout, no matter what the client waits for. */
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
