import type { ObjectKey } from '../../../core/kube/object.ts'
import { LEASE_TIMINGS, LeaderElection, type LeaderElectionOptions } from '../leader-election.ts'
import type { Runnable } from '../runnable.ts'
import { assignShards } from './assign-shards.ts'
import { Membership } from './membership.ts'
import { ShardSeat } from './shard-seat.ts'

export interface ShardElectionOptions extends Omit<LeaderElectionOptions, 'isCandidate' | 'isShared'> {
  /** How many shards there are. */
  readonly count: number
  /** Whether this process can work at once. Until then it takes no shard, unless it is the only live replica. Defaults to always. */
  readonly isReady?: (() => boolean) | undefined
}

/**
 * Shares the work of an installation between its replicas: every shard is a Lease of its own.
 *
 * - The lease of the installation is held by all replicas with the same number of shards together. So a process without shards, or with another
 *   number of them, never works at the same time, although it would cut the resources in another way.
 * - Which replica shall hold which shard follows from who is live (`assignShards`). If two see different replicas for a moment, the Lease of the
 *   shard decides, and nothing else.
 */
export class ShardElection implements Runnable {
  readonly name = 'shards'
  readonly shards: readonly ShardSeat[]
  readonly #identity: string
  readonly #membership: Membership
  readonly #group: LeaderElection

  /** @throws CodedError `InvalidLeaseTimings` */
  constructor(options: ShardElectionOptions) {
    const { identity, count, lease } = options
    this.#identity = identity
    this.#membership = new Membership({ ...LEASE_TIMINGS, ...options })
    this.#group = new LeaderElection({ ...options, identity: groupIdentity(count), isShared: true })
    this.shards = Array.from({ length: count }, (_, index) => {
      const election = { ...options, lease: shardLease(lease, index) }
      return new ShardSeat({ index, count, group: this.#group, election })
    })
    this.#membership.onChange(() => this.#assign())
  }

  /** The identities of the live replicas that take part. */
  get members(): readonly string[] {
    return this.#membership.members
  }

  /** Takes part until `signal` aborts, and then releases all shards. All work must have ended before that. */
  async start(signal: AbortSignal): Promise<void> {
    this.#assign()
    const elections = [this.#group, ...this.shards.map(({ election }) => election)]
    await Promise.all([this.#membership, ...elections].map((one) => one.start(signal)))
  }

  #assign(): void {
    const holders = assignShards(this.members, this.shards.length)
    for (const seat of this.shards) seat.want(holders[seat.index] === this.#identity)
  }
}

/** Holds the lease of the installation for all replicas with so many shards. */
export function groupIdentity(count: number): string {
  return `${count} shards`
}

/** How many shards there are by the holder of the lease of an installation; `undefined` if the resources are not split. */
export function countIn(holder: string): number | undefined {
  const [, count] = /^(\d+) shards$/.exec(holder) ?? []
  return count === undefined ? undefined : Number(count)
}

export function shardLease({ namespace, name }: ObjectKey, index: number): ObjectKey {
  return { namespace, name: `${name}-shard-${index}` }
}
