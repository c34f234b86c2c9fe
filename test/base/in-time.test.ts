import { expect } from 'chai'
import { FakeClock } from '../../src/base/fake-clock.ts'
import { inTime } from '../../src/base/in-time.ts'

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
  const cases: { name: string; pending: () => Promise<string>; meanwhile: () => unknown; outcome: unknown }[] = [
    { name: 'what comes', pending: async () => 'it', meanwhile: () => undefined, outcome: 'it' },
    { name: 'what fails', pending: () => Promise.reject(ENOUGH), meanwhile: () => undefined, outcome: ENOUGH },
    { name: 'what never comes', pending: () => never, meanwhile: () => clock.advance(1000), outcome: LATE },
    {
      name: 'what comes late, before anybody has looked at the clock',
      pending: async () => 'it',
      meanwhile: () => clock.pass(1000),
      outcome: LATE,
    },
    { name: 'a caller who gives up', pending: () => never, meanwhile: () => caller.abort(ENOUGH), outcome: ENOUGH },
  ]
  for (const { name, pending, meanwhile, outcome } of cases) {
    it(`knows ${name}, and leaves nothing behind`, async () => {
      const asked = inTime(pending(), { clock, end: 1000, signal: caller.signal, tooLate: () => LATE })
      await Promise.all([
        meanwhile(),
        asked.then(
          (value) => expect(value).to.equal(outcome),
          (error) => expect(error).to.equal(outcome),
        ),
      ])
      expect(clock.pending).to.equal(0)
    })
  }

  it('knows a caller who has given up before', async () => {
    const limit = { clock, end: 1000, signal: AbortSignal.abort(ENOUGH), tooLate: () => LATE }
    expect(await inTime(never, limit).catch((error: unknown) => error)).to.equal(ENOUGH)
  })

  it('needs no caller', async () => {
    const asked = inTime(never, { clock, end: -1, tooLate: () => LATE }).catch((error: unknown) => error)
    await clock.advance(0)
    expect(await asked).to.equal(LATE)
  })
})
