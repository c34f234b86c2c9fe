import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { HelmWorker } from '../../../src/engine/chart/helm-worker.ts'
import { long } from '../../support/long-tests.ts'
import { MODULE } from './renderer.ts'

const TIME = 20_000

/** Remembers for how long timers were set. */
class NotingClock extends FakeClock {
  readonly set: number[] = []

  override schedule(milliseconds: number, callback: () => void): () => void {
    this.set.push(milliseconds)
    return super.schedule(milliseconds, callback)
  }
}

describe('a thread that renders charts', () => {
  long.it('has its time for each call, not for its start, which takes long on a busy machine', async () => {
    const clock = new NotingClock()
    const worker = new HelmWorker(readFileSync(MODULE), { time: TIME, largestAnswer: 1_000 }, clock)
    const load = { name: 'load', request: JSON.stringify({ name: 'none', files: [] }), wallTime: 0 } as const
    const first = worker.call(load)
    expect(clock.set, 'while it starts').to.deep.equal([])
    expect(await first).to.include('"stage":"chart"')
    expect(clock.set, 'when it had started').to.deep.equal([TIME])
    const second = worker.call(load)
    expect(clock.set, 'at once').to.deep.equal([TIME, TIME])
    await second
    expect(clock.pending, 'afterwards').to.equal(0)
    await worker.stop()
  })
})
