import { explain } from '../../../core/base/coded-error.ts'
import { inTime } from '../../../core/base/in-time.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import { ApiError, isConflict, isNotFound, isTransient } from '../../../core/kube/api-error.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import type { LeaderElectionOptions, LeaseTimings } from '../leader-election.ts'
import { heldSpec, LEASE, parseLease } from '../lease-record.ts'
import type { Runnable } from '../runnable.ts'

/** Labels of the Lease of a replica: the name of the lease of its installation, and how many shards it works with. */
const REPLICA_OF_LABEL = 'rolebook.dev/replica-of'
const SHARDS_LABEL = 'rolebook.dev/shards'

/** `lease` is that of the installation. */
export interface MembershipOptions
  extends Pick<LeaseTimings, 'leaseDuration' | 'retryPeriod'>,
    Pick<LeaderElectionOptions, 'client' | 'clock' | 'logger' | 'lease' | 'identity' | 'fieldManager'> {
  /** How many shards there are. Replicas with another number are not seen. */
  readonly count: number
  /** Whether this process can work at once. Until then it leaves the work to other live replicas. Defaults to always. */
  readonly isReady?: (() => boolean) | undefined
}

interface SeenReplica {
  readonly identity: string
  readonly uid: string
  readonly resourceVersion: string
  /** When this version was first seen, on our own monotonic clock. */
  readonly since: number
}

/**
 * Milliseconds after which a replica takes part though it is not ready, as when a kind cannot be listed. As CacheSyncTimeout of controller-runtime.
 * An outage of the API server does not count.
 */
const PATIENCE = 120_000
/** A Lease that was not renewed for so many lease durations is of a process that will not delete it. */
const FORGOTTEN = 10

/**
 * Makes the live replicas of an installation known to one another, by a Lease for each. It is a hint: who may write is decided by the Leases of
 * the shards. A replica counts as live until its Lease was not renewed for the lease duration, counted from when this process saw its last renewal.
 *
 * A replica takes part once it is ready, or if it sees no other one. So none gives up resources to one that could not work on them yet. A replica
 * that was cut off until others count it as dead leaves, and joins again as a new one does: its caches may not follow the server yet.
 */
export class Membership implements Runnable {
  readonly name = 'membership'
  readonly #options: MembershipOptions
  readonly #key: ObjectKey
  readonly #labels: Readonly<Record<string, string>>
  readonly #seen = new Map<string, SeenReplica>()
  readonly #listeners = new Set<() => void>()
  #joined = new AbortController()
  /** Since when this process waits to take part. */
  #waitsSince = 0
  /** When this process sent the last renewal that the server has answered. */
  #renewedAt = 0
  /** Whether a watch keeps up to date what this process has seen. */
  #isFollowing = false
  #members: readonly string[] = []
  #silent = new AbortController()
  #cancelExpiry: () => void = () => undefined
  #reported = ''

  constructor(options: MembershipOptions) {
    const { lease, identity, count } = options
    this.#options = options
    this.#key = { namespace: lease.namespace, name: replicaLeaseName(lease.name, identity) }
    this.#labels = { [REPLICA_OF_LABEL]: labelValue(lease.name), [SHARDS_LABEL]: String(count) }
  }

  /** The identities of the live replicas that take part, in order. */
  get members(): readonly string[] {
    return this.#members
  }

  /** Calls the listener after each change of the members. The returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes part until `signal` aborts, and then deletes the Lease of this process, so that others need not wait. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#renewAll(signal), this.#watchAll(signal)])
    this.#cancelExpiry()
    await this.#attempt('cannot leave the replicas', () => this.#options.client.delete(LEASE, this.#key, {}))
  }

  async #renewAll(signal: AbortSignal): Promise<void> {
    const { clock, retryPeriod } = this.#options
    while (!signal.aborted) {
      await this.#untilJoined(signal)
      if (signal.aborted) return
      await this.#attempt('cannot renew the lease of this replica', () => this.#renew())
      if (this.#isBlind) this.#silent.abort(new Error('the watch does not deliver what this process has written'))
      await this.#removeForgotten()
      await clock.sleep(retryPeriod, signal)
      if (this.#countsAsDead) this.#leave()
    }
  }

  /** Resolves when this process takes part. */
  async #untilJoined(signal: AbortSignal): Promise<void> {
    const { clock, retryPeriod } = this.#options
    const ended = AbortSignal.any([signal, this.#joined.signal])
    this.#waitsSince = clock.monotonic()
    while (!ended.aborted) {
      await clock.sleep(retryPeriod, ended)
      if (clock.monotonic() - this.#waitsSince >= PATIENCE) this.#join()
      this.#judge()
    }
  }

  #join(): void {
    this.#renewedAt = this.#options.clock.monotonic()
    // The watch is blind only if it does not show the renewals that come now.
    this.#seen.delete(this.#key.name)
    this.#joined.abort()
  }

  /** Whether the others count this process as dead, since none of its renewals has reached the server for the lease duration. */
  get #countsAsDead(): boolean {
    const { clock, leaseDuration } = this.#options
    return this.#joined.signal.aborted && clock.monotonic() - this.#renewedAt > leaseDuration
  }

  /** Begins anew: what this process saw before it was cut off says nothing of who is live now. */
  #leave(): void {
    this.#joined = new AbortController()
    this.#isFollowing = false
    this.#silent.abort(new Error('this process was cut off'))
    this.#judge()
  }

  /** Whether the watch has not shown the renewals of this process for so long that it must be dead. */
  get #isBlind(): boolean {
    const { clock, leaseDuration } = this.#options
    const own = this.#seen.get(this.#key.name)
    return own !== undefined && clock.monotonic() - own.since > leaseDuration
  }

  async #renew(): Promise<void> {
    const sentAt = this.#options.clock.monotonic()
    try {
      await this.#writeLease()
      this.#renewedAt = sentAt
    } catch (error) {
      if (!isOutage(error)) this.#renewedAt = sentAt
      throw error
    }
  }

  async #writeLease(): Promise<void> {
    const { client, fieldManager } = this.#options
    const spec = this.#spec()
    try {
      const body = { metadata: { labels: this.#labels }, spec }
      await client.patch(LEASE, this.#key, { type: 'merge', body }, { fieldManager })
    } catch (error) {
      if (!isNotFound(error)) throw error
      const metadata = { ...this.#key, labels: this.#labels }
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec }
      await client.create(lease, { fieldManager })
    }
  }

  #spec(): JsonObject {
    const { identity, leaseDuration, clock } = this.#options
    return heldSpec({ holder: identity, duration: leaseDuration, transitions: 0, now: clock.now() })
  }

  /** Lists the Leases of the replicas and watches them, again and again: a watch ends after some minutes. */
  async #watchAll(signal: AbortSignal): Promise<void> {
    const { clock, logger, retryPeriod } = this.#options
    while (!signal.aborted) {
      try {
        await this.#follow(signal)
      } catch (error) {
        if (isOutage(error)) this.#waitsSince = clock.monotonic()
        if (!signal.aborted) logger.debug('cannot watch the leases of replicas', { error: explain(error) })
      }
      this.#isFollowing = false
      await clock.sleep(retryPeriod, signal)
    }
  }

  async #follow(stopped: AbortSignal): Promise<void> {
    const { client, lease } = this.#options
    this.#silent = new AbortController()
    const signal = AbortSignal.any([stopped, this.#silent.signal])
    const labelSelector = Object.entries(this.#labels)
      .map(([label, value]) => `${label}=${value}`)
      .join()
    const place = { namespace: lease.namespace, labelSelector, signal }
    const { items, resourceVersion } = await this.#inTime(client.list(LEASE, place))
    const names = new Set(items.map(({ metadata }) => metadata.name ?? ''))
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name)
    for (const item of items) this.#see(item, { isListed: true })
    this.#isFollowing = true
    this.#judge()
    for await (const event of client.watch(LEASE, { ...place, resourceVersion })) {
      if (event.type === 'ERROR') return
      if (event.type === 'BOOKMARK') continue
      if (event.type === 'DELETED') this.#seen.delete(event.object.metadata.name ?? '')
      else this.#see(event.object)
      this.#judge()
    }
  }

  #see(lease: KubeObject, { isListed = false } = {}): void {
    const { name = '', uid = '', resourceVersion = '' } = lease.metadata
    if (this.#seen.get(name)?.resourceVersion === resourceVersion) return
    const { holder: identity, renewTime } = parseLease(lease)
    const { clock } = this.#options
    const known = this.#seen.get(name)
    const isNew = known === undefined || isListed
    const age = isNew ? Math.min(this.#ageOf(renewTime), clock.monotonic() - (known?.since ?? -Infinity)) : 0
    this.#seen.set(name, { identity, uid, resourceVersion, since: clock.monotonic() - age })
  }

  /**
   * How many milliseconds ago a Lease was renewed whose renewal no watch has shown. A replica that joins, or whose watch was silent, must not take
   * those for live that have died before. If the clocks of two machines differ, a live one is taken for dead until its next renewal, and a dead one
   * for live for a while.
   */
  #ageOf(renewTime: string | undefined): number {
    const age = this.#options.clock.now() - Date.parse(renewTime ?? '')
    return Number.isFinite(age) ? Math.max(0, age) : 0
  }

  /** Finds out who is live now, and looks again when the next one may be over. */
  #judge(): void {
    if (this.#countsAsDead) {
      this.#leave()
      return
    }
    const { identity, leaseDuration, clock, isReady = () => true } = this.#options
    const now = clock.monotonic()
    const others = [...this.#seen.values()].filter(
      (replica) => replica.identity !== identity && replica.since + leaseDuration > now,
    )
    if (!this.#joined.signal.aborted && this.#isFollowing && (others.length === 0 || isReady())) this.#join()
    const own = this.#joined.signal.aborted ? [identity] : []
    const members = [...new Set([...own, ...others.map((replica) => replica.identity)])].sort()
    this.#cancelExpiry()
    const next = Math.min(...others.map(({ since }) => since + leaseDuration))
    if (others.length > 0) this.#cancelExpiry = clock.schedule(next - now, () => this.#judge())
    if (members.join() === this.#members.join()) return
    this.#members = members
    this.#options.logger.info('the replicas have changed', { replicas: members.join(', ') })
    for (const listener of [...this.#listeners]) listener()
  }

  /** Deletes the Leases of processes that ended without doing so themselves. One replica does it, and nothing depends on it. */
  async #removeForgotten(): Promise<void> {
    const { client, clock, lease, identity, leaseDuration } = this.#options
    if (this.#members[0] !== identity) return
    for (const [name, { since, uid, resourceVersion }] of this.#seen) {
      if (clock.monotonic() - since < FORGOTTEN * leaseDuration) continue
      const key = { namespace: lease.namespace, name }
      await this.#attempt('cannot remove the lease of a former replica', async () => {
        await client.delete(LEASE, key, { uid, resourceVersion })
        this.#seen.delete(name)
      })
    }
  }

  #inTime<Result>(answer: Promise<Result>): Promise<Result> {
    const { clock, leaseDuration } = this.#options
    const tooLate = (): Error => new Error('no answer came in time')
    return inTime(answer, { clock, end: clock.monotonic() + leaseDuration / 3, tooLate })
  }

  async #attempt(problem: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await this.#inTime(act())
      this.#reported = ''
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return
      const message = `${problem}: ${explain(error)}`
      if (this.#reported !== message) this.#options.logger.warn(message)
      this.#reported = message
    }
  }
}

/** Whether a request has failed because the server is away, and not because it refused. */
function isOutage(error: unknown): boolean {
  return !(error instanceof ApiError) || isTransient(error)
}

const MAX_NAME = 253

/** The identity ends in what no other process has, so what is cut is its start. */
function replicaLeaseName(lease: string, identity: string): string {
  const start = `${lease}-replica-`
  const end = identity.toLowerCase().replace(/[^a-z0-9.-]/g, '-')
  return `${start}${end.slice(Math.max(0, end.length - (MAX_NAME - start.length))).replace(/^[.-]+/, '')}`
}

/** Leases have longer names than labels have values. */
function labelValue(name: string): string {
  return name.slice(0, 63).replace(/[^a-z0-9]+$/i, '')
}
