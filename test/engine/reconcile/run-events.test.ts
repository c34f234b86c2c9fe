import { expect } from 'chai'
import { RunEvents } from '../../../src/engine/reconcile/run/ports-of-run.ts'
import { Secrecy } from '../../../src/engine/role/secrecy.ts'

function toldBy(events: RunEvents, secrecy = new Secrecy()): readonly string[] {
  const told: string[] = []
  events.publish(secrecy, ({ message }) => told.push(message))
  return told
}

describe('events of a run', () => {
  it('tell nothing of what is read from a Secret only after them', () => {
    const [events, secrecy] = [new RunEvents(), new Secrecy()]
    events.record({ type: 'Normal', reason: 'Told', message: 'it is correct-h0rse' })
    secrecy.hide('correct-h0rse')
    expect(toldBy(events, secrecy)).to.deep.equal(['it is <redacted>'])
  })

  it('are told once each, in their order', () => {
    const events = new RunEvents()
    for (const message of ['one', 'two', 'one']) events.record({ type: 'Normal', reason: 'Told', message })
    expect(toldBy(events)).to.deep.equal(['one', 'two'])
  })

  it('are kept up to a number that no resource may have at once', () => {
    const events = new RunEvents()
    for (let count = 0; count < 1000; count++)
      events.record({ type: 'Normal', reason: 'Told', message: `event ${count}` })
    expect(toldBy(events)).to.have.lengthOf(100)
  })
})
