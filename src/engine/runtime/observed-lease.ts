import type { Clock } from '../../core/base/clock.ts'
import type { SeenLease } from './lease-lock.ts'
import { isReleased, type LeaseRecord } from './lease-record.ts'
import { compareResourceVersions } from './resource-version.ts'

export interface ObservedLeaseOptions {
  readonly clock: Clock
  readonly identity: string
  /** Milliseconds for which a holder keeps the Lease after its last renewal was seen. */
  readonly leaseDuration: number
}

interface Observation {
  /** Absent: the Lease does not exist. */
  readonly lease: SeenLease | undefined
  /** When this was first seen, on our own monotonic clock. The times in a Lease are those of another machine. */
  readonly since: number
  /** Milliseconds from then on for which another process may hold the Lease. */
  readonly heldFor: number
}

/** A Lease may have been edited to last for ever. It is believed for at most this many times our own duration. */
const MOST_DURATIONS = 10

/** What is known of the Lease, and how long it must not be taken. */
export class ObservedLease {
  /** Whether a Lease was ever seen. */
  isKnown = false
  readonly #options: ObservedLeaseOptions
  #last: Observation | undefined
  #transitions = 0
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(options: ObservedLeaseOptions) {
    this.#options = options
  }

  get lease(): SeenLease | undefined {
    return this.#last?.lease
  }

  /** Empty: the Lease is not held. */
  get holder(): string {
    return this.lease?.record.holder ?? ''
  }

  get isHeldByOther(): boolean {
    return this.holder !== '' && this.holder !== this.#options.identity
  }

  /** The highest number of transitions that was ever seen. It never decreases. */
  get transitions(): number {
    return this.#transitions
  }

  /** Milliseconds until the Lease may be taken; 0 if it may be taken now. */
  get opensIn(): number {
    if (!this.#last) return 0
    const { since, heldFor } = this.#last
    return Math.max(0, since + heldFor - this.#options.clock.monotonic())
  }

  /** Milliseconds since anything was heard of the Lease; infinite if nothing was. */
  get unheardFor(): number {
    return this.#options.clock.monotonic() - this.#heardAt
  }

  /** Notes what a watch or the answer to a write shows. Ignores what is older than what is known, since it has only arrived late. */
  hear(lease: SeenLease | undefined): void {
    if (!isOlder(lease, this.lease)) this.see(lease)
  }

  /**
   * Notes the answer to a read. It counts even if it is older than what is known: the data of the server may have been restored, and a process
   * that ignores this would be refused every write from then on.
   *
   * A watch may have overtaken the answer, which is then out of date. That does no harm. No process becomes leader by it, because an older
   * state frees no Lease, and a write with an old version is refused. No leader loses its Lease by it, because a leader reads after its last
   * write, so that an answer with another holder is newer. The next read corrects what is known.
   */
  see(lease: SeenLease | undefined): void {
    const former = this.#last
    this.#heardAt = this.#options.clock.monotonic()
    this.isKnown ||= lease !== undefined
    this.#transitions = Math.max(this.#transitions, lease?.record.transitions ?? 0)
    const isNews = !former || !isSame(former.lease?.record, lease?.record)
    this.#last = isNews
      ? { lease, since: this.#options.clock.monotonic(), heldFor: this.#heldFor(lease, former) }
      : { ...former, lease }
  }

  /** Milliseconds for which the Lease is held. A holder whose Lease was deleted, reset or reassigned may not know it yet, so it keeps its time. */
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
