import { expect } from 'chai'
import { RunEvents } from '../../../../src/engine/reconcile/run/new-ports.ts'
import { Secrecy } from '../../../../src/engine/role/secrecy/secrecy.ts'

function publishedBy(events: RunEvents, secrecy = new Secrecy()): readonly string[] {
  const published: string[] = []
  events.publish(secrecy, ({ message }) => published.push(message))
  return published
}

describe('events of a run', () => {
  it('do not show what is read from a Secret only after them', () => {
    const [events, secrecy] = [new RunEvents(), new Secrecy()]
    events.record({ type: 'Normal', reason: 'Reported', message: 'it is correct-h0rse' })
    secrecy.hide('correct-h0rse')
    expect(publishedBy(events, secrecy)).to.deep.equal(['it is <redacted>'])
  })

  it('are published once each, in their order', () => {
    const events = new RunEvents()
    for (const message of ['one', 'two', 'one']) events.record({ type: 'Normal', reason: 'Reported', message })
    expect(publishedBy(events)).to.deep.equal(['one', 'two'])
  })

  it('are kept up to a number that no resource may have at once', () => {
    const events = new RunEvents()
    for (let count = 0; count < 1000; count++)
      events.record({ type: 'Normal', reason: 'Reported', message: `event ${count}` })
    expect(publishedBy(events)).to.have.lengthOf(100)
  })
})
