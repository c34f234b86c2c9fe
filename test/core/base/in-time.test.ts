import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { inTime } from '../../../src/core/base/in-time.ts'

describe('inTime', () => {
  let clock: FakeClock
  let caller: AbortController
  beforeEach(() => {
    clock = new FakeClock()
    caller = new AbortController()
  })

  const LATE = new Error('late')
  const ENOUGH = new Error('enough')
  const never = new Promise<string>(() => undefined)
  const idle = (): void => undefined
  const cases: { name: string; pending: () => Promise<string>; meanwhile: () => unknown; outcome: object }[] = [
    { name: 'what comes', pending: async () => 'it', meanwhile: idle, outcome: { value: 'it' } },
    { name: 'what fails', pending: () => Promise.reject(ENOUGH), meanwhile: idle, outcome: { error: ENOUGH } },
    { name: 'what never comes', pending: () => never, meanwhile: () => clock.advance(1000), outcome: { error: LATE } },
    {
      name: 'what comes late, before the clock was read',
      pending: async () => 'it',
      meanwhile: () => clock.pass(1000),
      outcome: { error: LATE },
    },
    {
      name: 'a caller who gives up',
      pending: () => never,
      meanwhile: () => caller.abort(ENOUGH),
      outcome: { error: ENOUGH },
    },
  ]
  for (const { name, pending, meanwhile, outcome } of cases) {
    it(`knows ${name}, and leaves nothing behind`, async () => {
      const asked = outcomeOf(inTime(pending(), { clock, end: 1000, signal: caller.signal, tooLate: () => LATE }))
      await meanwhile()
      expect(await asked).to.deep.equal(outcome)
      expect([clock.pending, getEventListeners(caller.signal, 'abort').length]).to.deep.equal([0, 0])
    })
  }

  it('knows a caller who has given up before', async () => {
    const limit = { clock, end: 1000, signal: AbortSignal.abort(ENOUGH), tooLate: () => LATE }
    expect(await outcomeOf(inTime(never, limit))).to.deep.equal({ error: ENOUGH })
  })

  it('needs no caller', async () => {
    const asked = outcomeOf(inTime(never, { clock, end: -1, tooLate: () => LATE }))
    await clock.advance(0)
    expect(await asked).to.deep.equal({ error: LATE })
  })
})

function outcomeOf(promise: Promise<string>): Promise<object> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}
