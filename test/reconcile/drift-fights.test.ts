import { expect } from 'chai'
import { DriftFights } from '../../src/reconcile/drift-fights.ts'
import { FakeClock } from '../support/fake-clock.ts'

const REPLICAS = ['spec', 'replicas']
const MINUTE = 60_000

describe('DriftFights', () => {
  it('lets a field be put back five times in ten minutes, then leaves it alone for a while that doubles', async () => {
    const clock = new FakeClock()
    const fights = new DriftFights(clock)
    const waits: (number | undefined)[] = []
    for (let round = 0; round < 3; round++) {
      for (let time = 0; time < 6; time++) waits.push(fights.correct('u', [REPLICAS])?.milliseconds)
      await clock.advance((waits.at(-1) ?? 0) + 1)
    }
    const five = Array.from({ length: 5 }, () => undefined)
    expect(waits).to.deep.equal([...five, MINUTE, ...five, 2 * MINUTE, ...five, 4 * MINUTE])
  })

  it('does not take slow drift for a fight', async () => {
    const clock = new FakeClock()
    const fights = new DriftFights(clock)
    for (let time = 0; time < 50; time++) {
      expect(fights.correct('u', [REPLICAS])).to.equal(undefined)
      await clock.advance(2.5 * MINUTE)
    }
  })

  it('goes on correcting other fields and other objects', () => {
    const fights = new DriftFights(new FakeClock())
    for (let time = 0; time < 6; time++) fights.correct('u', [REPLICAS])
    expect(fights.correct('u', [['spec', 'paused']])).to.equal(undefined)
    expect(fights.correct('v', [REPLICAS])).to.equal(undefined)
    expect(fights.correct('u', [['spec', 'paused'], REPLICAS])?.field).to.equal('spec.replicas')
  })

  it('forgets what is gone', () => {
    const fights = new DriftFights(new FakeClock())
    for (let time = 0; time < 6; time++) fights.correct('u', [REPLICAS])
    fights.forget('u')
    expect(fights.correct('u', [REPLICAS])).to.equal(undefined)
  })
})
