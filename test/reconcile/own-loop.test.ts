import { expect } from 'chai'
import { type LoopStep, OwnLoop } from '../../src/reconcile/own-loop.ts'

const OURS: LoopStep = { fingerprint: 'a', isOwnDoing: true, wrote: ['status.x'] }

/** A loop that has just been found, at the time 0. */
function found(): OwnLoop {
  const loop = new OwnLoop()
  for (let run = 0; run <= 10; run++) loop.count(OURS, 0)
  return loop
}

describe('OwnLoop', () => {
  it('finds eleven runs in a minute that nobody else caused', () => {
    const loop = new OwnLoop()
    const codes = Array.from({ length: 11 }, () => loop.count(OURS, 0)?.reason)
    expect(codes).to.deep.equal([...Array.from({ length: 10 }, () => undefined), 'NonDeterministic'])
    expect(loop.pause('a', 0)).to.equal(10_000)
  })

  it('says the same of a run in the pause that others caused', () => {
    const loop = found()
    expect(loop.count({ ...OURS, isOwnDoing: false, wrote: [] }, 5_000)?.message).to.include('status.x')
    expect(loop.count({ ...OURS, isOwnDoing: false }, 10_001)).to.equal(undefined)
  })

  const harmless: { name: string; step: Partial<LoopStep>; between?: number }[] = [
    { name: 'that others caused', step: { isOwnDoing: false } },
    { name: 'that wrote nothing', step: { wrote: [] } },
    { name: 'that are far apart', step: {}, between: 7_000 },
  ]
  for (const { name, step, between = 0 } of harmless) {
    it(`takes no offence at runs ${name}`, () => {
      const loop = new OwnLoop()
      for (let run = 0; run < 50; run++) expect(loop.count({ ...OURS, ...step }, run * between)).to.equal(undefined)
    })
  }

  it('is over with an edit', () => {
    const loop = found()
    expect(loop.count({ ...OURS, fingerprint: 'b' }, 1)).to.equal(undefined)
    expect(loop.pause('b', 1)).to.equal(0)
  })
})
