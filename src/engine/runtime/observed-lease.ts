import type { Clock } from '../../core/base/clock.ts'
import type { SeenLease } from './lease-lock.ts'
import { isReleased, type LeaseRecord } from './lease-record.ts'
import { compareResourceVersions } from './resource-version.ts'

export interface ObservedLeaseOptions {
  readonly clock: Clock
  readonly identity: string
  /** Milliseconds that a holder has after it was last heard of. */
  readonly leaseDuration: number
}

interface Observation {
  /** Absent: there is no Lease. */
  readonly lease: SeenLease | undefined
  /** When this was first seen, by our own monotonic clock: the times in a Lease are those of another machine. */
  readonly since: number
  /** Milliseconds from then on in which somebody may still hold it. */
  readonly heldFor: number
}

/** A Lease may be edited to last for ever: it is believed for at most this many times our own duration. */
const MOST_DURATIONS = 10

/** What is known of the Lease, and how long it is to be left alone. */
export class ObservedLease {
  /** Whether there ever was one. */
  isKnown = false
  readonly #options: ObservedLeaseOptions
  #last: Observation | undefined
  #transitions = 0

  constructor(options: ObservedLeaseOptions) {
    this.#options = options
  }

  get lease(): SeenLease | undefined {
    return this.#last?.lease
  }

  /** Empty: nobody. */
  get holder(): string {
    return this.lease?.record.holder ?? ''
  }

  get isHeldByOther(): boolean {
    return this.holder !== '' && this.holder !== this.#options.identity
  }

  /** The most that was ever seen: nobody takes them back. */
  get transitions(): number {
    return this.#transitions
  }

  /** Milliseconds until it may be taken; 0 when it may be. */
  get opensIn(): number {
    if (!this.#last) return 0
    const { since, heldFor } = this.#last
    return Math.max(0, since + heldFor - this.#options.clock.monotonic())
  }

  /** Takes note of what a watch, or the answer to a write, tells. What is older than what is known is news that was late. */
  hear(lease: SeenLease | undefined): void {
    if (!isOlder(lease, this.lease)) this.see(lease)
  }

  /**
   * Takes note of the answer to a read: the server has just that, also when it is older than what is known. So it is when
   * the data of the server was restored, and whoever does not believe it is refused every write from then on.
   *
   * A watch may have overtaken the answer, which is then out of date. Nobody leads by that: what is older frees no lease, and
   * a write with an old version is refused. Nobody loses by it what is still held: a leader reads after its last write, so
   * an answer that names another one tells of a later one. The next read sets right what is known.
   */
  see(lease: SeenLease | undefined): void {
    const former = this.#last
    this.isKnown ||= lease !== undefined
    this.#transitions = Math.max(this.#transitions, lease?.record.transitions ?? 0)
    const isNews = !former || !isSame(former.lease?.record, lease?.record)
    this.#last = isNews
      ? { lease, since: this.#options.clock.monotonic(), heldFor: this.#heldFor(lease, former) }
      : { ...former, lease }
  }

  /** A holder whose Lease was deleted, set back or given to another one may not know yet: it keeps its time. */
  #heldFor(lease: SeenLease | undefined, former: Observation | undefined): number {
    const { identity, leaseDuration } = this.#options
    if (!lease) return former ? leaseDuration : 0
    const { record } = lease
    const isOurs = record.holder === identity && (this.opensIn === 0 || former?.lease?.record.holder === identity)
    const isFree = isOurs || isReleased(record) || (record.holder === '' && !former)
    if (isFree && !isOlder(lease, former?.lease)) return 0
    return Math.min(Math.max(record.duration, leaseDuration), leaseDuration * MOST_DURATIONS)
  }
}

function isOlder(one: SeenLease | undefined, other: SeenLease | undefined): boolean {
  return (compareResourceVersions(one?.resourceVersion, other?.resourceVersion) ?? 0) < 0
}

function isSame(one: LeaseRecord | undefined, other: LeaseRecord | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
