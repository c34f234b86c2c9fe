import { expect } from 'chai'
import { HandoverBench } from '../handovers/handover-bench.ts'
import { ENDINGS, type Handover, handOver } from '../handovers/handovers.ts'
import { isClean, sortOut } from '../handovers/under-way.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

/** Short, so that the suite is. `npm run proof:handovers` takes those of a real installation, too. */
const TIMINGS = { leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 400 }

describe('three processes of one installation', function () {
  this.timeout(300_000)
  let bench: HandoverBench
  const done: Handover[] = []

  before(async function () {
    bench = await HandoverBench.start(await sharedControlPlane(this), 'handovers', { timings: TIMINGS })
    await bench.begin()
  })
  after(() => bench?.stop())

  for (const [nth, { name }] of ENDINGS.entries()) {
    it(`go on when the one that works is ${name}`, async () => {
      const handover = await handOver(bench, nth)
      done.push(handover)
      expect(handover.ending).to.equal(name)
    })
  }

  it('have changed nothing while another one held the lease, and have made nothing twice', async () => {
    await bench.settle()
    const { history } = bench
    expect(history.transitions.length).to.be.at.least(ENDINGS.length + 1)
    const unwanted = sortOut({ stale: history.stale(), late: history.late() }, done)
    expect(isClean(unwanted), JSON.stringify(unwanted)).to.equal(true)
    expect(await bench.children()).to.have.length(12)
  })
})
