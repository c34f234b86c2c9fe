import { expect } from 'chai'
import type { Trigger } from '../../../../src/engine/reconcile/trace/run-trace.ts'
import { PendingTriggers } from '../../../../src/engine/reconcile/trace/run-trace.ts'
import { widget } from '../../../support/requests.ts'

describe('what triggered a run', () => {
  const triggers = new PendingTriggers()
  const W = widget('w')
  const noted = (...kinds: readonly Trigger['kind'][]): void => {
    for (const kind of kinds) triggers.note(W, { kind } as Trigger)
  }
  const taken = (): readonly string[] => triggers.take(W).map(({ kind }) => kind)

  it('is given once, to each resource its own', () => {
    noted('started', 'edited')
    expect(triggers.take(widget('v'))).to.deep.equal([])
    expect(taken()).to.deep.equal(['started', 'edited'])
    expect(taken()).to.deep.equal([])
  })

  it('stands before what came since, when a run has come to nothing', () => {
    noted('edited')
    const former = triggers.take(W)
    noted('reloaded')
    triggers.putBack(W, former)
    expect(taken()).to.deep.equal(['edited', 'reloaded'])
  })

  it('is kept only as often as people want to read it', () => {
    noted('edited', 'edited', 'edited')
    const former = triggers.take(W)
    noted('served', 'served', 'served')
    triggers.putBack(W, former)
    expect(taken()).to.deep.equal(['edited', 'edited', 'edited', 'served', 'served'])
  })
})
