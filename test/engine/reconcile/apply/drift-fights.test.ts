import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonPath } from '../../../../src/core/base/json.ts'
import { DriftFights, type GivenUp } from '../../../../src/engine/reconcile/apply/drift-fights.ts'

const REPLICAS = ['spec', 'replicas']
const MINUTE = 60_000

/** A correction that succeeds, unless it is not to be tried. */
function correct(fights: DriftFights, uid: string, paths: readonly JsonPath[]): GivenUp | undefined {
  const givenUp = fights.check(uid, paths)
  if (!givenUp) fights.count(uid, paths)
  return givenUp
}

describe('DriftFights', () => {
  it('lets a field be put back five times in ten minutes, then leaves it alone for a while that doubles', async () => {
    const clock = new FakeClock()
    const fights = new DriftFights(clock)
    const waits: (number | undefined)[] = []
    for (let round = 0; round < 3; round++) {
      for (let time = 0; time < 6; time++) waits.push(correct(fights, 'u', [REPLICAS])?.milliseconds)
      await clock.advance((waits.at(-1) ?? 0) + 1)
    }
    const five = Array.from({ length: 5 }, () => undefined)
    expect(waits).to.deep.equal([...five, MINUTE, ...five, 2 * MINUTE, ...five, 4 * MINUTE])
  })

  it('begins with a minute again after a long time of peace', async () => {
    const clock = new FakeClock()
    const fights = new DriftFights(clock)
    const waits: (number | undefined)[] = []
    for (const peace of [1, 31 * MINUTE, 1]) {
      for (let time = 0; time < 5; time++) correct(fights, 'u', [REPLICAS])
      waits.push(correct(fights, 'u', [REPLICAS])?.milliseconds)
      await clock.advance((waits.at(-1) ?? 0) + peace)
    }
    expect(waits).to.deep.equal([MINUTE, 2 * MINUTE, MINUTE])
  })

  it('does not count corrections that the server refused', () => {
    const fights = new DriftFights(new FakeClock())
    for (let time = 0; time < 50; time++) expect(fights.check('u', [REPLICAS])).to.equal(undefined)
  })

  it('does not take slow drift for a fight', async () => {
    const clock = new FakeClock()
    const fights = new DriftFights(clock)
    for (let time = 0; time < 50; time++) {
      expect(correct(fights, 'u', [REPLICAS])).to.equal(undefined)
      await clock.advance(2.5 * MINUTE)
    }
  })

  it('goes on correcting other fields and other objects', () => {
    const fights = new DriftFights(new FakeClock())
    for (let time = 0; time < 6; time++) correct(fights, 'u', [REPLICAS])
    expect(correct(fights, 'u', [['spec', 'paused']])).to.equal(undefined)
    expect(correct(fights, 'v', [REPLICAS])).to.equal(undefined)
    expect(correct(fights, 'u', [['spec', 'paused'], REPLICAS])?.field).to.equal('spec.replicas')
  })

  it('forgets the object that came first when there are too many', () => {
    const fights = new DriftFights(new FakeClock())
    for (const uid of ['first', 'second']) for (let time = 0; time < 5; time++) correct(fights, uid, [REPLICAS])
    for (let other = 2; other <= 10_000; other++) fights.count(`${other}`, [REPLICAS])
    expect(fights.check('first', [REPLICAS])).to.equal(undefined)
    expect(fights.check('second', [REPLICAS])?.field).to.equal('spec.replicas')
  })

  it('forgets what is gone', () => {
    const fights = new DriftFights(new FakeClock())
    for (let time = 0; time < 6; time++) correct(fights, 'u', [REPLICAS])
    fights.forget('u')
    expect(correct(fights, 'u', [REPLICAS])).to.equal(undefined)
  })
})
