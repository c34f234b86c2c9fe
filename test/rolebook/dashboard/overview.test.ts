import { expect } from 'chai'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { overviewOf } from '../../../src/rolebook/dashboard/overview.ts'

describe('the overview of an operator', () => {
  const none = () => [].values()
  const operator = { queues: none, watches: none, shards: none, hungRuns: () => [], failing: [], leads: true }
  const overview = (metrics: Metrics) => overviewOf({ operator, metrics, version: '1', instance: 'one' })

  it('has no times before the first run', async () => {
    expect(await overview(new Metrics({ version: '1' }))).to.deep.equal({
      ...{ version: '1', instance: 'one', leads: true },
      ...{ shards: [], kinds: [], hung: [], blind: [], failing: [] },
    })
  })

  it('says how long requests waited and runs took', async () => {
    const metrics = new Metrics({ version: '1' })
    metrics.reconciled({ kind: 'Shop', priority: 'edit', duration: 700, waited: 3, isTimeout: false })
    const { wait, runs } = await overview(metrics)
    expect([wait?.count, runs?.count]).to.deep.equal([1, 1])
    expect(wait?.p95).to.be.within(3, 10)
    expect(runs?.p95).to.be.within(700, 1000)
  })
})
