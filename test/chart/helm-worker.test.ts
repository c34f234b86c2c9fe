import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { FakeClock } from '../../src/base/fake-clock.ts'
import { HelmWorker } from '../../src/chart/helm-worker.ts'
import { MODULE } from './renderer.ts'

describe('3: a thread that renders charts', () => {
  it('has its time for each call, not for its start, which takes long on a busy machine', async () => {
    const clock = new FakeClock()
    const worker = new HelmWorker(readFileSync(MODULE), { time: 20_000, largestAnswer: 1_000 }, clock)
    const load = { name: 'load', request: JSON.stringify({ name: 'none', files: [] }), wallTime: 0 } as const
    const first = worker.call(load)
    expect(clock.pending, 'while it starts').to.equal(0)
    expect(await first).to.include('"stage":"chart"')
    const second = worker.call(load)
    expect(clock.pending, 'while it works').to.equal(1)
    await second
    expect(clock.pending, 'afterwards').to.equal(0)
    await worker.stop()
  })
})
