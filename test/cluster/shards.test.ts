import { expect } from 'chai'
import { HandoverBench } from '../handovers/handover-bench.ts'
import type { Replica } from '../handovers/replica.ts'
import { type ShardIncident, scale, strike } from '../handovers/shard-incidents.ts'
import { judge, printShardReport } from '../handovers/shard-report.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

/** Short, so that the suite is. */
const TIMINGS = { leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 400 }

/** The short form of `npm run proof:handovers -- --shards`. */
describe('three processes that share the work', function () {
  this.timeout(300_000)
  let bench: HandoverBench
  let since: number
  const live = new Set<Replica>()
  const done: ShardIncident[] = []

  before(async function () {
    const plane = await sharedControlPlane(this)
    bench = await HandoverBench.start(plane, 'sharers', { timings: TIMINGS, shards: 3 })
    await bench.beginWith([])
    await scale(bench, live, 1)
    since = performance.now()
  })
  after(() => bench?.stop())

  it('hold one shard each once there are three', () => scale(bench, live, 3))

  for (const [nth, what] of ['is killed', 'is stopped', 'is cut off'].entries()) {
    it(`take over from one that ${what}, and share the work with it again`, async () => {
      done.push(await strike(bench, nth))
    })
  }

  it('take over from those that are asked to end', async () => {
    await scale(bench, live, 1)
    await scale(bench, live, 2)
  })

  it('have never written to one shard together, and have left no edit out for longer than a handover may take', async () => {
    await bench.settle()
    const verdict = judge(bench, { timings: TIMINGS, since, done })
    expect(verdict.isProven, printShardReport(verdict, done)).to.equal(true)
    expect(await bench.children()).to.have.length(32)
  })
})
