import { backoffDelay } from '../../core/base/backoff.ts'
import type { Clock } from '../../core/base/clock.ts'
import { CodedError, explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import { isConflict, isNotFound } from '../../core/kube/api-error.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import { formatKey, type ObjectKey } from '../../core/kube/object.ts'
import type { Leadership } from './leadership.ts'
import { LeaseLock, type SeenLease } from './lease-lock.ts'
import { heldSpec, MAX_TRANSITIONS, releasedSpec } from './lease-record.ts'
import { ObservedLease } from './observed-lease.ts'
import type { Runnable } from './runnable.ts'

export interface LeaseTimings {
  /** Milliseconds that others wait after the leader was last heard of. */
  readonly leaseDuration: number
  /** Milliseconds after its last renewal at which the leader gives up. */
  readonly renewDeadline: number
  /** Milliseconds between two tries. */
  readonly retryPeriod: number
}

/** As client-go has them. */
export const LEASE_TIMINGS: LeaseTimings = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 }

export interface LeaderElectionOptions extends Partial<LeaseTimings> {
  /** Not guarded by what this decides. */
  readonly client: KubeClient
  readonly clock: Clock
  readonly logger: Logger
  /** Where the Lease stands. */
  readonly lease: ObjectKey
  /** Of this process and no other, not even a former one in the same place. */
  readonly identity: string
  readonly fieldManager: string
  /** A number from 0 to 1. Defaults to `Math.random`. */
  readonly random?: (() => number) | undefined
}

/**
 * Takes part in electing the one process that works, by a Lease as client-go does it: the same object, the same rules.
 *
 * - Who leads stops at the renew deadline, counted from when its last renewal was sent. Others wait for the longer lease
 *   duration, counted from when they saw that renewal. So no two lead at once as long as no clock runs more than
 *   leaseDuration / renewDeadline as fast as another. No time is compared with one of another machine.
 * - Stricter than client-go where somebody has deleted or edited the Lease, or restored an old one: a holder that may not
 *   know yet keeps its time.
 * - Whoever has lost takes part again. When it is stopped, it lets go, so that nobody need wait.
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
  /** Aborts when there is news that ends the pause after this turn. */
  #news = new AbortController()
  /** What was logged last, until something else happens. */
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

  /** Takes part until `signal` aborts, which must be after all work has ended: then the Lease is let go. */
  async start(signal: AbortSignal): Promise<void> {
    const watching = this.#watch(signal)
    while (!signal.aborted) {
      // Before the turn: news that comes during it, or in the pause before it may end, is not lost.
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
      if (this.leads && (await this.#renew())) return
      this.#observed.see(await this.#lock.read())
      this.#loseToOther()
      if (this.leads || this.#observed.opensIn === 0) await this.#hold()
      else this.#report('info', `waits: ${this.#observed.isHeldByOther ? this.#observed.holder : 'somebody'} may lead`)
    } catch (error) {
      this.#report('warn', `cannot hold the lease: ${explain(error)}`)
    }
  }

  /** In one request, as long as nobody else has written. */
  async #renew(): Promise<boolean> {
    if (!this.#observed.lease) return false
    try {
      await this.#hold()
      return true
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false
      throw error
    }
  }

  async #hold(): Promise<void> {
    const { clock, identity } = this.#options
    const { lease, transitions, isKnown } = this.#observed
    const isOurs = lease?.record.holder === identity || this.leads
    const startedAt = clock.monotonic()
    const spec = heldSpec({
      holder: identity,
      duration: this.#timings.leaseDuration,
      acquireTime: isOurs ? lease?.record.acquireTime : undefined,
      transitions: isOurs || !isKnown ? transitions : Math.min(transitions + 1, MAX_TRANSITIONS),
      now: clock.now(),
    })
    this.#mayHold = true
    this.#observed.hear(lease ? await this.#lock.update(lease, spec) : await this.#lock.create(spec))
    this.#loseToOther()
    this.#gain(startedAt)
  }

  /** Counted from when the request was sent: the answer may have been on its way for as long as one likes. */
  #gain(startedAt: number): void {
    if (this.#observed.isHeldByOther) return
    // Whoever asked in between was told that it does not lead.
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

  /** A holder that is to be renewed at once, or a Lease that may be taken at once, ends the pause. */
  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, random = Math.random } = this.#options
    const { retryPeriod } = this.#timings
    const shortest = retryPeriod / 10
    await clock.sleep(shortest, signal)
    const jittered = this.leads ? retryPeriod : backoffDelay(0, { base: retryPeriod, max: retryPeriod, random })
    const opensIn = (!this.leads && this.#observed.opensIn) || jittered
    const pause = Math.min(jittered - shortest, opensIn)
    await clock.sleep(pause, AbortSignal.any([signal, this.#news.signal]))
  }

  /** Only to be quicker: who cannot watch looks again each retry period. */
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
    if (!isOurs && (led || this.#observed.opensIn === 0)) this.#news.abort()
  }

  async #release(): Promise<void> {
    if (!this.#mayHold) return
    try {
      for (let left = RELEASES; left > 0; left--) {
        const lease = await this.#stillOurs()
        if (!lease || (await this.#letGo(lease))) return
      }
      throw new Error('somebody keeps writing to it')
    } catch (error) {
      this.#report('warn', `cannot release the lease, so that others wait until it runs out: ${explain(error)}`)
    }
  }

  async #stillOurs(): Promise<SeenLease | undefined> {
    this.#observed.see(await this.#lock.read())
    return this.#observed.holder === this.#options.identity ? this.#observed.lease : undefined
  }

  /** False: somebody has written in between. */
  async #letGo(lease: SeenLease): Promise<boolean> {
    try {
      await this.#lock.update(lease, releasedSpec(this.#observed.transitions, this.#options.clock.now()))
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
/** Tries to let go of a Lease that others keep writing to. */
const RELEASES = 5

function checked(timings: LeaseTimings): LeaseTimings {
  const { leaseDuration, renewDeadline, retryPeriod } = timings
  const isInOrder = leaseDuration > renewDeadline && renewDeadline > 1.2 * retryPeriod && retryPeriod > 0
  if (isInOrder) return timings
  const rule = 'the lease duration must exceed the renew deadline, and that 1.2 times the retry period'
  throw new CodedError('InvalidLeaseTimings', `cannot elect a leader: ${rule}`)
}
