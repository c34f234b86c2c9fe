import { backoffDelay } from '../../core/base/backoff.ts'
import type { Clock } from '../../core/base/clock.ts'
import { CodedError, explain } from '../../core/base/coded-error.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { Logger } from '../../core/base/logger.ts'
import { untilAborted } from '../../core/base/until-aborted.ts'
import { isConflict, isInvalid, isNotFound } from '../../core/kube/api-error.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import { formatKey, type ObjectKey } from '../../core/kube/object.ts'
import type { Leadership } from './leadership.ts'
import { LeaseLock, type SeenLease } from './lease-lock.ts'
import { heldSpec, MAX_TRANSITIONS, releasedSpec } from './lease-record.ts'
import { ObservedLease } from './observed-lease.ts'
import type { Runnable } from './runnable.ts'

export interface LeaseTimings {
  /** Milliseconds that others wait after they last saw a renewal of the leader. */
  readonly leaseDuration: number
  /** Milliseconds after its last renewal at which the leader stops leading. */
  readonly renewDeadline: number
  /** Milliseconds between two tries. */
  readonly retryPeriod: number
}

/** The defaults of client-go. */
export const LEASE_TIMINGS: LeaseTimings = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 }

export interface LeaderElectionOptions extends Partial<LeaseTimings> {
  /** Must not be a client that checks the leadership. */
  readonly client: KubeClient
  readonly clock: Clock
  readonly logger: Logger
  /** Namespace and name of the Lease. */
  readonly lease: ObjectKey
  /** Unique to this process: a former process of the same Pod must have another one. */
  readonly identity: string
  readonly fieldManager: string
  /** Whether this process wants to lead. If not, it observes the Lease and releases it if it holds it. Defaults to always. */
  readonly isCandidate?: (() => boolean) | undefined
  /** Whether several processes hold the Lease together, under one identity. None of them releases it. Defaults to false. */
  readonly isShared?: boolean | undefined
  /** A number from 0 to 1. Defaults to `Math.random`. */
  readonly random?: (() => number) | undefined
}

/**
 * Takes part in the election of the leader by a Lease, with the same object and rules as client-go.
 *
 * - The leader stops at the renew deadline, counted from when it sent its last renewal. Others wait for the longer lease duration, counted
 *   from when they saw that renewal. So two processes never lead at once, as long as no clock runs more than leaseDuration / renewDeadline as
 *   fast as another. Times of different machines are never compared.
 * - It is stricter than client-go if the Lease was deleted, edited or restored from a backup: a holder that may not know this keeps its time.
 * - A process that has lost the Lease takes part again. A process that is stopped releases it, so that others need not wait.
 */
export class LeaderElection implements Leadership, Runnable {
  readonly name = 'leader election'
  readonly #options: LeaderElectionOptions
  readonly #timings: LeaseTimings
  readonly #lock: LeaseLock
  readonly #observed: ObservedLease
  readonly #listeners = new Set<(leads: boolean) => void>()
  #isLeading = false
  #mayHold = false
  #renewedAt = 0
  #cancelExpiry: () => void = () => undefined
  /** Aborts when the watch delivers something that ends the pause after this turn. */
  #news = new AbortController()
  /** The message that was logged last, so that it is not repeated. */
  #reported = ''

  /** @throws CodedError `InvalidLeaseTimings` */
  constructor(options: LeaderElectionOptions) {
    const { client, clock, identity, lease, fieldManager } = options
    const { leaseDuration, renewDeadline, retryPeriod } = { ...LEASE_TIMINGS, ...options }
    this.#options = options
    this.#timings = checked({ leaseDuration, renewDeadline, retryPeriod })
    this.#lock = new LeaseLock({ client, clock, key: lease, fieldManager, timeout: renewDeadline / 2 })
    this.#observed = new ObservedLease({ clock, identity, leaseDuration })
  }

  get leads(): boolean {
    return this.#isLeading && this.#expiresIn > 0
  }

  onChange(listener: (leads: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Who holds the Lease, as far as this process has seen. Empty: it is not held. */
  get holder(): string {
    return this.#observed.holder
  }

  /** To be called when the answer of `isCandidate` has changed. */
  reconsider(): void {
    this.#news.abort()
  }

  /** Takes part until `signal` aborts, and then releases the Lease. All work must have ended before that. */
  async start(signal: AbortSignal): Promise<void> {
    const watching = this.#watch(signal)
    while (!signal.aborted) {
      // Renewed before the turn, so that news during the turn, or early in the pause, is not lost.
      this.#news = new AbortController()
      await this.#turn()
      if (!signal.aborted) await this.#pause(signal)
    }
    this.#stepDown()
    await this.#release()
    await watching
  }

  get #expiresIn(): number {
    return this.#renewedAt + this.#timings.renewDeadline - this.#options.clock.monotonic()
  }

  /** One try to renew the Lease, or to take it. */
  async #turn(): Promise<void> {
    if (!this.leads) this.#lose(TOO_LATE)
    try {
      if (!this.#isCandidate) return await this.#standAside()
      if (this.leads && (await this.#renew())) return
      this.#observed.see(await this.#lock.read())
      this.#loseToOther()
      if (this.leads || this.#observed.opensIn === 0) await this.#hold()
      else
        this.#report(
          'info',
          `waits: ${this.#observed.isHeldByOther ? this.#observed.holder : 'another process'} may lead`,
        )
    } catch (error) {
      this.#report('warn', `cannot hold the lease: ${explain(error)}`)
    }
  }

  get #isCandidate(): boolean {
    return this.#options.isCandidate?.() ?? true
  }

  /** Observes the Lease, and releases it if this process holds it. */
  async #standAside(): Promise<void> {
    this.#stepDown()
    if (this.#mayHold) await this.#release()
    else if (this.#isWatchSilent) await this.#look()
  }

  /** Reads the Lease. News ends that: a request without an answer must not hold up a process that wants the Lease again. */
  async #look(): Promise<void> {
    const { signal } = this.#news
    const lease = this.#lock.read()
    await Promise.race([lease, untilAborted(signal)])
    if (!signal.aborted) this.#observed.see(await lease)
    else lease.catch(() => undefined)
  }

  /** Whether the watch has not shown a renewal that is due. As long as it shows them, a process that does not want the Lease need not read it. */
  get #isWatchSilent(): boolean {
    const { renewDeadline, retryPeriod } = this.#timings
    return this.#observed.unheardFor > (this.#observed.isHeldByOther ? 1.5 * retryPeriod : renewDeadline)
  }

  /** Renews the Lease with one request. Returns false if it was written meanwhile. */
  async #renew(): Promise<boolean> {
    if (!this.#observed.lease) return false
    try {
      await this.#hold()
      return true
    } catch (error) {
      if (isConflict(error) || isNotFound(error) || isInvalid(error)) return false
      throw error
    }
  }

  async #hold(): Promise<void> {
    const { clock, identity, isShared = false, random = Math.random } = this.#options
    const { lease, transitions, isKnown } = this.#observed
    const isOurs = lease?.record.holder === identity || this.leads
    const startedAt = clock.monotonic()
    const spec = heldSpec({
      holder: identity,
      duration: this.#timings.leaseDuration,
      acquireTime: isOurs ? lease?.record.acquireTime : undefined,
      transitions: isOurs || !isKnown ? transitions : Math.min(transitions + 1, MAX_TRANSITIONS),
      // Processes that hold it together must not write the same: what changes nothing on the server is a renewal that no other process sees.
      now: clock.now() + (isShared ? random() : 0),
    })
    this.#mayHold = true
    const held = await this.#write(lease, spec)
    this.#observed.hear(held)
    if (held.resourceVersion !== '' && held.resourceVersion === lease?.resourceVersion) return
    this.#loseToOther()
    this.#gain(startedAt)
  }

  #write(lease: SeenLease | undefined, spec: JsonObject): Promise<SeenLease> {
    const { identity, isShared } = this.#options
    if (!lease) return this.#lock.create(spec)
    if (isShared && lease.record.holder === identity) return this.#lock.renewTogether(lease, spec)
    return this.#lock.update(lease, spec)
  }

  /** Starts or prolongs the leadership. The time counts from when the request was sent, since the answer may have taken any time. */
  #gain(startedAt: number): void {
    if (this.#observed.isHeldByOther) return
    // If the leadership had expired meanwhile, listeners must see that first.
    if (!this.leads) this.#lose(TOO_LATE)
    this.#renewedAt = startedAt
    this.#cancelExpiry()
    if (this.#expiresIn <= 0) {
      this.#lose(TOO_LATE)
      return
    }
    this.#cancelExpiry = this.#options.clock.schedule(this.#expiresIn, () => this.#lose(TOO_LATE))
    if (!this.#isLeading) this.#changeTo(true, 'leads')
    this.#reported = ''
  }

  #loseToOther(): void {
    if (this.#observed.isHeldByOther) this.#lose(`${this.#observed.holder} holds the lease`)
  }

  #lose(reason: string): void {
    if (this.#isLeading) this.#changeTo(false, `leads no longer: ${reason}`)
  }

  #stepDown(): void {
    if (this.#isLeading) this.#changeTo(false, 'stops leading')
  }

  #changeTo(leads: boolean, message: string): void {
    this.#isLeading = leads
    if (!leads) this.#cancelExpiry()
    this.#report('info', message)
    for (const listener of [...this.#listeners]) listener(leads)
  }

  /** Waits for the next turn. The pause ends early if the Lease must be renewed or can be taken at once. */
  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, random = Math.random } = this.#options
    const { retryPeriod } = this.#timings
    const shortest = retryPeriod / 10
    await clock.sleep(shortest, signal)
    const jittered = this.leads ? retryPeriod : backoffDelay(0, { base: retryPeriod, max: retryPeriod, random })
    const opensIn = (!this.leads && this.#isCandidate && this.#observed.opensIn) || jittered
    const pause = Math.min(jittered - shortest, opensIn)
    await clock.sleep(pause, AbortSignal.any([signal, this.#news.signal]))
  }

  /** Watches the Lease, to react sooner. Without a watch, it is read once in each retry period. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options
    while (!signal.aborted) {
      try {
        for await (const lease of this.#lock.changes(signal)) this.#notice(lease)
      } catch (error) {
        if (!signal.aborted) logger.debug('cannot watch the lease', { error: explain(error) })
      }
      await clock.sleep(this.#timings.retryPeriod, signal)
    }
  }

  #notice(lease: SeenLease | undefined): void {
    const led = this.#isLeading
    this.#observed.hear(lease)
    this.#loseToOther()
    const isOurs = lease?.record.holder === this.#options.identity
    if (!isOurs && (led || (this.#isCandidate && this.#observed.opensIn === 0))) this.#news.abort()
  }

  async #release(): Promise<void> {
    if (!this.#mayHold || this.#options.isShared) return
    try {
      for (let left = RELEASES; left > 0; left--) {
        const lease = await this.#stillOurs()
        if (lease && !(await this.#letGo(lease))) continue
        this.#mayHold = false
        return
      }
      throw new Error('another client keeps writing it')
    } catch (error) {
      this.#report('warn', `cannot release the lease, so that others wait until it runs out: ${explain(error)}`)
    }
  }

  async #stillOurs(): Promise<SeenLease | undefined> {
    this.#observed.see(await this.#lock.read())
    return this.#observed.holder === this.#options.identity ? this.#observed.lease : undefined
  }

  /** Releases the Lease. Returns false if it was written meanwhile. */
  async #letGo(lease: SeenLease): Promise<boolean> {
    try {
      const spec = releasedSpec(this.#observed.transitions, this.#options.clock.now())
      this.#observed.hear(await this.#lock.update(lease, spec))
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  }

  #report(level: 'info' | 'warn', message: string): void {
    if (this.#reported === message) return
    this.#reported = message
    const { logger, lease, identity } = this.#options
    logger[level](`leader election: ${message}`, { lease: formatKey(lease), identity })
  }
}

const TOO_LATE = 'its lease was not renewed in time'
/** How often the release of a Lease is tried that others keep writing. */
const RELEASES = 5

function checked(timings: LeaseTimings): LeaseTimings {
  const { leaseDuration, renewDeadline, retryPeriod } = timings
  const isInOrder = leaseDuration > renewDeadline && renewDeadline > 1.2 * retryPeriod && retryPeriod > 0
  if (isInOrder) return timings
  const rule = 'the lease duration must exceed the renew deadline, and that 1.2 times the retry period'
  throw new CodedError('InvalidLeaseTimings', `cannot elect a leader: ${rule}`)
}
