import { expect } from 'chai'
import { FakeClock } from '../../../../../src/core/base/fake-clock.ts'
import { EventCorrelator, keep } from '../../../../../src/sandbox/apiserver/workloads/common/event-correlator.ts'
import { configMap } from '../../sandbox.ts'

const OBJECT = configMap('a', { metadata: { uid: 'u' } })
const MINUTE = 60_000

describe('EventCorrelator', () => {
  let clock: FakeClock
  let correlator: EventCorrelator
  const say = (message: string, object = OBJECT) => correlator.correlate(object, { reason: 'Tested', message })

  beforeEach(() => {
    clock = new FakeClock()
    correlator = new EventCorrelator(clock)
  })

  it('knows an event again by what it says', () => {
    expect(say('one')?.key).to.equal(say('one')?.key)
    expect(say('one')?.key).not.to.equal(say('two')?.key)
    expect(say('one')?.key).not.to.equal(say('one', configMap('b'))?.key)
  })

  it('combines the tenth message of a reason with those that follow', () => {
    const events = Array.from({ length: 12 }, (_, index) => say(`message ${index}`))
    expect(events[8]?.message).to.equal('message 8')
    expect(events[9]?.message).to.equal('(combined from similar events): message 9')
    expect(events[10]?.key).to.equal(events[9]?.key)
  })

  it('starts anew when ten minutes were silent', async () => {
    for (let index = 0; index < 10; index++) say(`message ${index}`)
    await clock.advance(11 * MINUTE)
    expect(say('later')?.message).to.equal('later')
  })

  it('drops what comes after 25 events about an object, and one more goes every five minutes', async () => {
    for (let index = 0; index < 25; index++) expect(say('again')).not.to.equal(undefined)
    expect(say('again')).to.equal(undefined)
    expect(say('again', configMap('b'))).not.to.equal(undefined)
    await clock.advance(5 * MINUTE)
    expect(say('again')).not.to.equal(undefined)
    expect(say('again')).to.equal(undefined)
  })

  it('forgets what it saw longest ago', () => {
    const map = new Map<string, number>()
    for (let at = 0; at <= 4096; at++) keep(map, String(at), at)
    expect([map.size, map.has('0'), map.has('1')]).to.deep.equal([4096, false, true])
  })
})
