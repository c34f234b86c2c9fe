import type { ObjectKey } from '../../../core/kube/object.ts'
import { LeaderElection, type LeaderElectionOptions } from '../leader-election.ts'
import type { Leadership, Shard } from '../leadership.ts'
import { shardOf } from './shard-of.ts'

export interface ShardSeatOptions {
  readonly index: number
  readonly count: number
  /** The lease of the installation, which all replicas with this number of shards hold together. */
  readonly group: Leadership
  /** For the Lease of the shard. */
  readonly election: Omit<LeaderElectionOptions, 'isCandidate'>
}

/**
 * What this process has of one shard. It holds the shard while it wants it and has its Lease; when it does not want it any more, it finishes
 * what runs, writes nothing from then on, and releases the Lease.
 */
export class ShardSeat implements Shard {
  readonly index: number
  readonly count: number
  readonly election: LeaderElection
  readonly #group: Leadership
  readonly #listeners = new Set<(leads: boolean) => void>()
  readonly #finishers = new Set<() => Promise<void>>()
  #isWanted = false
  #rounds = 0
  #state: 'open' | 'finishing' | 'releasing' = 'open'
  /** What listeners last heard. */
  #announced = false

  constructor({ index, count, group, election }: ShardSeatOptions) {
    this.index = index
    this.count = count
    this.#group = group
    this.election = new LeaderElection({ ...election, isCandidate: () => this.#isCandidate })
    this.election.onChange((leads) => {
      if (!leads) this.#state = 'open'
      else if (!this.#isDue) this.#state = 'releasing'
      this.#review()
    })
    group.onChange(() => this.#review())
  }

  get leads(): boolean {
    return this.#state !== 'releasing' && this.#group.leads && this.election.leads
  }

  onChange(listener: (leads: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  owns(key: ObjectKey): boolean {
    return this.indexFor(key) === this.index
  }

  indexFor(key: ObjectKey): number {
    return shardOf(key, this.count)
  }

  beforeRelease(finish: () => Promise<void>): void {
    this.#finishers.add(finish)
  }

  /** Whether this process shall hold the shard from now on. What it has begun to release, it releases in any case. */
  want(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return
    this.#isWanted = isWanted
    this.#review()
  }

  get #isDue(): boolean {
    return this.#isWanted && this.#group.leads
  }

  get #isCandidate(): boolean {
    return this.#state === 'finishing' || (this.#state === 'open' && this.#isDue)
  }

  #review(): void {
    this.#announce()
    if (this.election.leads && !this.#isDue && this.#state === 'open') void this.#finish()
    this.election.reconsider()
  }

  /** The Lease is renewed until all work has ended, so that nothing that is under way arrives after it was released. */
  async #finish(): Promise<void> {
    const round = ++this.#rounds
    this.#state = 'finishing'
    await Promise.allSettled([...this.#finishers].map((finish) => finish()))
    // If the Lease was lost meanwhile, there is nothing to release.
    if (this.#state !== 'finishing' || round !== this.#rounds) return
    this.#state = 'releasing'
    this.#review()
  }

  #announce(): void {
    const { leads } = this
    if (leads === this.#announced) return
    this.#announced = leads
    for (const listener of [...this.#listeners]) listener(leads)
  }
}
