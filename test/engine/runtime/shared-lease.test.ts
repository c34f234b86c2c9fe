import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { LeaderElection } from '../../../src/engine/runtime/leader-election.ts'
import { LEASE } from '../../../src/engine/runtime/lease-record.ts'
import { LeaseStore, StoreLine } from '../../support/lease-store.ts'

const TIMINGS = { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 400 }
const KEY = { namespace: 'ops', name: 'rolebook' }
const TOGETHER = '4 shards'

describe('A Lease that processes hold together', () => {
  const store = new LeaseStore()
  const clock = new FakeClock()
  const changes: boolean[] = []
  const others = store.clientOf(new StoreLine())
  /** What another process writes right before each write of this one. */
  let meanwhile: (() => Promise<unknown>) | undefined
  /** Whether its writes are equal to what is there, so that the server keeps the version. */
  let changesNothing = false
  const writeAs = (holderIdentity: string): Promise<unknown> => {
    const spec = { holderIdentity, renewTime: `as ${holderIdentity}` }
    return others.patch(LEASE, KEY, { type: 'merge', body: { spec } }, { fieldManager: 'other' })
  }

  before(async () => {
    const own = store.clientOf(new StoreLine())
    const client: KubeClient = {
      ...own,
      patch: async (...given) => {
        await meanwhile?.()
        const kept = changesNothing ? await own.get(LEASE, KEY) : undefined
        return kept ?? own.patch(...given)
      },
    }
    const common = { client, clock, logger: nopLogger, fieldManager: 'rolebook', random: () => 0.5, ...TIMINGS }
    const election = new LeaderElection({ ...common, lease: KEY, identity: TOGETHER, isShared: true })
    election.onChange((leads) => changes.push(leads))
    void election.start(new AbortController().signal)
    await clock.advance(100)
  })

  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 100) await clock.advance(100)
  }

  it('is renewed although others write it at the same moment, each time', async () => {
    meanwhile = () => writeAs(TOGETHER)
    await pass(10 * TIMINGS.renewDeadline)
    expect(changes).to.deep.equal([true])
  })

  it('is not renewed by a write that changes nothing on the server, which no other process sees', async () => {
    meanwhile = undefined
    changesNothing = true
    await pass(TIMINGS.renewDeadline + TIMINGS.retryPeriod)
    expect(changes).to.deep.equal([true, false])
    changesNothing = false
    await pass(TIMINGS.leaseDuration)
    expect(changes).to.deep.equal([true, false, true])
  })

  it('is lost when it is given to another name in that moment, and not renewed for that one', async () => {
    meanwhile = () => writeAs('8 shards')
    await pass(TIMINGS.retryPeriod + 100)
    expect(changes).to.deep.equal([true, false, true, false])
    expect((await others.get(LEASE, KEY))?.spec).to.include({ renewTime: 'as 8 shards' })
  })
})
