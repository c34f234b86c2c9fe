import { expect } from 'chai'
import type { Wake } from '../../src/reconcile/run-trace.ts'
import { Wakes } from '../../src/reconcile/wakes.ts'
import { widget } from '../support/requests.ts'

describe('what woke a run', () => {
  const wakes = new Wakes()
  const W = widget('w')
  const noted = (...kinds: readonly Wake['kind'][]): void => {
    for (const kind of kinds) wakes.note(W, { kind } as Wake)
  }
  const taken = (): readonly string[] => wakes.take(W).map(({ kind }) => kind)

  it('is told once, of each resource its own', () => {
    noted('started', 'edited')
    expect(wakes.take(widget('v'))).to.deep.equal([])
    expect(taken()).to.deep.equal(['started', 'edited'])
    expect(taken()).to.deep.equal([])
  })

  it('stands before what came since, when a run has come to nothing', () => {
    noted('edited')
    const woken = wakes.take(W)
    noted('reloaded')
    wakes.putBack(W, woken)
    expect(taken()).to.deep.equal(['edited', 'reloaded'])
  })

  it('is told no more often than people want to read it', () => {
    noted('edited', 'edited', 'edited')
    const woken = wakes.take(W)
    noted('served', 'served', 'served')
    wakes.putBack(W, woken)
    expect(taken()).to.deep.equal(['edited', 'edited', 'edited', 'served', 'served'])
  })
})
