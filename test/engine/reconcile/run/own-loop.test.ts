import { expect } from 'chai'
import { type LoopStep, OwnLoop } from '../../../../src/engine/reconcile/run/own-loop.ts'

/** A run that our own writes led to. */
function run(chain: number): LoopStep {
  return { fingerprint: 'a', cause: { isOwnDoing: chain > 0, chain }, wrote: ['status.x'] }
}

/** A loop that has just been found, at the time 0. */
function found(): OwnLoop {
  const loop = new OwnLoop()
  for (let chain = 1; chain <= 11; chain++) loop.count(run(chain), 0)
  return loop
}

describe('OwnLoop', () => {
  it('finds eleven runs in a minute that lead to one another', () => {
    const loop = new OwnLoop()
    const reasons = Array.from({ length: 11 }, (_, index) => loop.count(run(index + 1), 0)?.reason)
    expect(reasons).to.deep.equal([...Array.from({ length: 10 }, () => undefined), 'NonDeterministic'])
    expect(loop.pause('a', 0)).to.equal(10_000)
  })

  it('finds a loop that leads through other resources, and one that began in the midst of other changes', () => {
    const loop = new OwnLoop()
    const chains = [1, 2, 40, 3, 3, ...Array.from({ length: 8 }, (_, index) => 5 + 2 * index)]
    const reasons = chains.map((chain) => loop.count(run(chain), 0)?.reason)
    expect(reasons).to.deep.equal([...chains.slice(1).map(() => undefined), 'NonDeterministic'])
  })

  it('says the same of a run in the pause that others caused', () => {
    const loop = found()
    expect(loop.count({ ...run(0), wrote: [] }, 5_000)?.message).to.include('status.x')
    expect(loop.count(run(0), 10_001)).to.equal(undefined)
  })

  const harmless: { name: string; steps: (index: number) => LoopStep; between?: number }[] = [
    { name: 'that others caused', steps: () => run(0) },
    { name: 'that wrote nothing', steps: (index) => ({ ...run(index + 1), wrote: [] }) },
    { name: 'that are far apart', steps: (index) => run(index + 1), between: 7_000 },
    { name: 'that others caused each time through another resource', steps: () => run(1) },
    { name: 'that others caused each time far away', steps: () => run(30) },
    { name: 'that settle, again and again', steps: (index) => run(1 + (index % 10)) },
  ]
  for (const { name, steps, between = 0 } of harmless) {
    it(`takes no offence at runs ${name}`, () => {
      const loop = new OwnLoop()
      for (let index = 0; index < 50; index++) expect(loop.count(steps(index), index * between)).to.equal(undefined)
    })
  }

  it('is over with an edit', () => {
    const loop = found()
    expect(loop.count({ ...run(12), fingerprint: 'b' }, 1)).to.equal(undefined)
    expect(loop.pause('b', 1)).to.equal(0)
  })
})
