import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ShardElection } from '../../../../src/engine/runtime/sharding/shard-election.ts'
import { LeaseStore, StoreLine } from '../../../support/lease-store.ts'

const TIMINGS = { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 400 }
const COUNT = 4
const STEP = 100
/** Milliseconds after which a replica that is not ready takes part in any case. */
const PATIENCE = 120_000

/** One process, with a clock of its own. */
interface Sharer {
  readonly clock: FakeClock
  readonly line: StoreLine
  readonly election: ShardElection
  isReady: boolean
  /** Leases of shards that it has read, by name, since this was emptied. */
  readonly reads: string[]
}

describe('A replica that shares the work', () => {
  let store: LeaseStore
  let passed: number
  const sharers: Sharer[] = []
  beforeEach(() => {
    store = new LeaseStore()
    passed = 0
  })
  afterEach(() => sharers.splice(0))

  function start(identity: string, isReady = true): Sharer {
    const [clock, line, reads] = [new FakeClock(Date.UTC(2026, 0, 1) + passed), new StoreLine(), [] as string[]]
    const client = store.clientOf(line)
    const get: typeof client.get = (gvk, key, options) => {
      if (key.name.includes('shard')) reads.push(key.name)
      return client.get(gvk, key, options)
    }
    const lease = { namespace: 'ops', name: 'rolebook' }
    const common = { client: { ...client, get }, clock, logger: nopLogger, fieldManager: 'rolebook', random: () => 1 }
    const election = new ShardElection({
      ...{ ...common, ...TIMINGS, lease, identity, count: COUNT },
      isReady: () => sharer.isReady,
    })
    const sharer: Sharer = { clock, line, election, isReady, reads }
    sharers.push(sharer)
    void election.start(new AbortController().signal)
    return sharer
  }

  const held = ({ election }: Sharer): number => election.shards.filter(({ leads }) => leads).length

  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= STEP) {
      passed += STEP
      for (const { clock, line } of sharers) if (!line.isStopped) await clock.advance(STEP)
    }
  }

  it('takes no shard while its caches are not filled and another one works', async () => {
    const first = start('first')
    await pass(2_000)
    const second = start('second', false)
    await pass(10_000)
    expect([held(first), held(second), first.election.members]).to.deep.equal([COUNT, 0, ['first']])
    second.isReady = true
    await pass(2_000)
    expect([held(first), held(second), first.election.members]).to.deep.equal([2, 2, ['first', 'second']])
  })

  it('works at once, whatever its caches have, if there is no other one', async () => {
    const only = start('only', false)
    await pass(1_000)
    expect([held(only), only.election.members]).to.deep.equal([COUNT, ['only']])
  })

  it('works, whatever its caches have, once the last other one has died', async () => {
    const first = start('first')
    await pass(2_000)
    const second = start('second', false)
    await pass(2_000)
    first.line.isStopped = true
    await pass(TIMINGS.leaseDuration + TIMINGS.retryPeriod)
    expect(held(second)).to.equal(COUNT)
  })

  it('takes part after two minutes, if its caches cannot be filled', async () => {
    const first = start('first')
    await pass(2_000)
    const second = start('second', false)
    await pass(PATIENCE - 1_000)
    expect(held(second)).to.equal(0)
    await pass(3_000)
    expect([held(first), held(second)]).to.deep.equal([2, 2])
  })

  it('sends no reads for the shards of others while its watches show their renewals', async () => {
    start('first')
    const second = start('second')
    await pass(5_000)
    second.reads.length = 0
    await pass(20_000)
    expect(second.reads).to.deep.equal([])
  })

  it('takes the shards of one that dies in time, also if its watches have died without a word', async () => {
    const first = start('first')
    const second = start('second')
    await pass(5_000)
    second.line.isDeaf = true
    await pass(1_000)
    first.line.isStopped = true
    await pass(TIMINGS.leaseDuration + 2.5 * TIMINGS.retryPeriod)
    expect(held(second)).to.equal(COUNT)
  })
})
