import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ShardElection } from '../../../../src/engine/runtime/sharding/shard-election.ts'
import { LeaseStore, StoreLine } from '../../../support/lease-store.ts'
import { long } from '../../../support/long-tests.ts'

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

  long.it('takes no shard while its caches are not filled and another one works', async () => {
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

  long.it('takes part after two minutes, if its caches cannot be filled', async () => {
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

  const CUT_OFF = TIMINGS.leaseDuration + 2 * TIMINGS.retryPeriod
  /** Two replicas that share the work; the second is cut off, and then its caches do not follow the server. */
  async function cutOff(duration: number): Promise<readonly [Sharer, Sharer]> {
    const first = start('first')
    const second = start('second')
    await pass(5_000)
    expect([held(first), held(second)]).to.deep.equal([2, 2])
    second.line.isCut = true
    second.isReady = false
    await pass(duration)
    return [first, second]
  }

  it('leaves its shards to the others after it was cut off, until its caches follow the server again', async () => {
    const [first, second] = await cutOff(CUT_OFF)
    expect(held(first)).to.equal(COUNT)
    second.line.connect()
    await pass(10_000)
    expect([held(first), held(second), first.election.members]).to.deep.equal([COUNT, 0, ['first']])
    second.isReady = true
    await pass(2_000)
    expect([held(first), held(second), first.election.members]).to.deep.equal([2, 2, ['first', 'second']])
  })

  it('keeps its shards when its connection comes back before others count it as dead', async () => {
    const [first, second] = await cutOff(TIMINGS.renewDeadline / 2)
    second.line.connect()
    await pass(5_000)
    expect([held(first), held(second)]).to.deep.equal([2, 2])
  })

  it('does not think that it is alone while it is cut off, nor before it has looked again', async () => {
    const [, second] = await cutOff(CUT_OFF)
    expect(second.election.members).to.deep.equal([])
    second.line.connect()
    for (let step = 0; step < 20; step++) {
      await pass(STEP)
      expect(second.election.members).to.not.include('second')
    }
    expect(second.election.members).to.deep.equal(['first'])
  })

  long.it(
    'does not take part after an outage that was longer than its patience, until its caches follow the server',
    async () => {
      const [first, second] = await cutOff(PATIENCE + 10_000)
      second.line.connect()
      await pass(10_000)
      expect([held(first), held(second)]).to.deep.equal([COUNT, 0])
    },
  )

  it('does not think that it is alone when it goes on after it was stopped', async () => {
    const first = start('first')
    const second = start('second')
    await pass(5_000)
    second.line.isStopped = true
    await pass(CUT_OFF)
    expect(held(first)).to.equal(COUNT)
    second.isReady = false
    await second.clock.advance(CUT_OFF)
    second.line.resume()
    await pass(5_000)
    expect([held(first), held(second), second.election.members]).to.deep.equal([COUNT, 0, ['first']])
    second.isReady = true
    await pass(2_000)
    expect([held(first), held(second)]).to.deep.equal([2, 2])
  })
})
