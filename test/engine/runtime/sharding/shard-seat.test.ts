import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { soleLeader } from '../../../../src/engine/runtime/leadership.ts'
import { LEASE } from '../../../../src/engine/runtime/lease-record.ts'
import { ShardSeat } from '../../../../src/engine/runtime/sharding/shard-seat.ts'
import { LeaseStore, StoreLine } from '../../../support/lease-store.ts'

const TIMINGS = { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 400 }
const KEY = { namespace: 'ops', name: 'rolebook-shard-0' }

describe('A shard whose Lease comes when it is not wanted any more', () => {
  it('is given back at once, and nothing is done in it', async () => {
    const [clock, line, store] = [new FakeClock(), new StoreLine(), new LeaseStore()]
    const common = { client: store.clientOf(line), clock, logger: nopLogger, fieldManager: 'rolebook', random: () => 1 }
    const election = { ...common, ...TIMINGS, lease: KEY, identity: 'own' }
    const seat = new ShardSeat({ index: 0, count: 4, group: soleLeader, election })
    const heard: boolean[] = []
    seat.onChange((leads) => heard.push(leads))
    seat.want(true)
    line.isStopped = true
    void seat.election.start(new AbortController().signal)
    await clock.settle()
    seat.want(false)
    line.resume()
    await clock.advance(TIMINGS.retryPeriod)
    const lease = await store.clientOf(new StoreLine()).get(LEASE, KEY)
    expect(lease?.spec).to.include({ holderIdentity: '', leaseDurationSeconds: 1 })
    expect([seat.leads, heard]).to.deep.equal([false, []])
  })
})
