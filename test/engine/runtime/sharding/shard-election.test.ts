import { env } from 'node:process'
import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ShardElection } from '../../../../src/engine/runtime/sharding/shard-election.ts'
import { Dice } from '../../../support/dice.ts'
import { LeaseStore, StoreLine } from '../../../support/lease-store.ts'
import { long } from '../../../support/long-tests.ts'

const TIMINGS = { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 400 }
const COUNT = 4
const STEP = 100
/** `INCIDENTS=200 npx mocha …` makes more. */
const COUNT_OF_INCIDENTS = Number(env.INCIDENTS ?? 50)

/** One process, with a clock of its own, whose work takes some time to end. */
class Sharer {
  readonly clock: FakeClock
  readonly line = new StoreLine()
  readonly election: ShardElection
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #frozenFor = 0

  constructor(store: LeaseStore, identity: string, { random, now }: { random: () => number; now: number }) {
    this.clock = new FakeClock(now)
    const client = store.clientOf(this.line)
    const lease = { namespace: 'ops', name: 'rolebook' }
    const common = { client, clock: this.clock, logger: nopLogger, fieldManager: 'rolebook', random, ...TIMINGS }
    this.election = new ShardElection({ ...common, lease, identity, count: COUNT })
    for (const shard of this.election.shards) shard.beforeRelease(() => this.clock.sleep(300))
  }

  begin(): void {
    this.#running = this.election.start(this.#stop.signal)
  }

  /** The shards on which it works. */
  get held(): readonly number[] {
    if (this.line.isStopped) return []
    return this.election.shards.filter(({ leads }) => leads).map(({ index }) => index)
  }

  async pass(milliseconds: number): Promise<void> {
    if (this.line.isStopped) this.#frozenFor += milliseconds
    else await this.clock.advance(milliseconds)
  }

  /** As SIGCONT does: time has gone on, and nothing has run yet. */
  thaw(): void {
    this.clock.pass(this.#frozenFor)
    this.#frozenFor = 0
    this.line.resume()
  }

  end(): void {
    this.#stop.abort(new Error('the process ends'))
    void this.#running
  }
}

/** Processes that share the work, and what is seen of them at every step. */
class Stage {
  readonly store = new LeaseStore()
  readonly #dice = new Dice(7)
  readonly live: Sharer[] = []
  /** Steps at which two processes worked on one shard. */
  doubled = 0
  /** The longest time, in milliseconds, in which no process that reaches the server worked on some shard. */
  longest = 0
  readonly #ended: Sharer[] = []
  readonly #leftOut = Array.from({ length: COUNT }, () => 0)
  #names = 0
  #passed = 0

  add(): Sharer {
    const sharer = new Sharer(this.store, `r${++this.#names}`, {
      random: () => this.below(1_000) / 1_000,
      now: Date.UTC(2026, 0, 1) + this.#passed,
    })
    this.live.push(sharer)
    sharer.begin()
    return sharer
  }

  /** It may still send what ends its part, and time goes on for it. */
  remove(sharer: Sharer): void {
    this.live.splice(this.live.indexOf(sharer), 1)
    this.#ended.push(sharer)
  }

  pick(): Sharer {
    return this.#dice.pick(this.live)
  }

  below(limit: number): number {
    return this.#dice.below(limit)
  }

  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= STEP) {
      for (const sharer of [...this.live, ...this.#ended]) await sharer.pass(STEP)
      this.#passed += STEP
      this.#look()
    }
  }

  #look(): void {
    const all = [...this.live, ...this.#ended]
    for (let shard = 0; shard < COUNT; shard++) {
      const holders = all.filter(({ held }) => held.includes(shard))
      if (holders.length > 1) this.doubled++
      const works = holders.some(({ line }) => !line.isCut)
      this.#leftOut[shard] = works ? 0 : (this.#leftOut[shard] ?? 0) + STEP
      this.longest = Math.max(this.longest, this.#leftOut[shard] ?? 0)
    }
  }
}

const INCIDENTS: readonly ((stage: Stage) => Promise<void>)[] = [
  async function killed(stage) {
    const victim = stage.pick()
    victim.line.isStopped = true
    stage.remove(victim)
    await stage.pass(4_000)
    stage.add()
  },
  async function stopped(stage) {
    const victim = stage.pick()
    victim.line.isStopped = true
    await stage.pass(1_000 + stage.below(40) * STEP)
    victim.thaw()
  },
  async function cutOff(stage) {
    const victim = stage.pick()
    victim.line.isCut = true
    await stage.pass(1_000 + stage.below(40) * STEP)
    victim.line.connect()
  },
  async function ended(stage) {
    const victim = stage.pick()
    victim.end()
    stage.remove(victim)
    await stage.pass(500)
    stage.add()
  },
  async function scaled(stage) {
    for (const sharer of stage.live.slice(1)) {
      sharer.end()
      stage.remove(sharer)
    }
    await stage.pass(1_500)
    for (let count = 1; count < 4; count++) stage.add()
  },
]

describe('The election of shards', () => {
  long.it(
    'never has two processes on one shard, and leaves none out for longer than a lease, in kills, stops, cuts and scalings',
    async () => {
      const stage = new Stage()
      for (let count = 0; count < 4; count++) stage.add()
      await stage.pass(3_000)
      stage.longest = 0
      for (let nth = 0; nth < COUNT_OF_INCIDENTS; nth++) {
        await INCIDENTS[nth % INCIDENTS.length]?.(stage)
        await stage.pass(2_000 + stage.below(10) * STEP)
      }
      expect(stage.doubled).to.equal(0)
      expect(stage.longest).to.be.at.most(TIMINGS.leaseDuration + TIMINGS.retryPeriod)
      expect(stage.live.map(({ held }) => held.length)).to.deep.equal([1, 1, 1, 1])
    },
  )
})
