import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { ServerGate } from '../../../src/core/kube-client/server-gate.ts'

describe('ServerGate', () => {
  let clock: FakeClock
  let gate: ServerGate
  beforeEach(() => {
    clock = new FakeClock()
    gate = new ServerGate(clock, () => 0.5)
  })

  const cases = [
    { name: 'at once while it is open', shut: 0, end: 1, passes: true, after: 0 },
    { name: 'at once when no time is left', shut: 0, end: 0, passes: false, after: 0 },
    { name: 'at once when it stays shut for longer', shut: 1000, end: 1000, passes: false, after: 0 },
    { name: 'when it opens', shut: 1000, end: 1101, passes: true, after: 1100 },
    {
      name: 'when it opens, and the moment after which it lets pass is too late',
      shut: 1000,
      end: 1100,
      passes: false,
      after: 1100,
    },
  ]
  for (const { name, shut, end, passes, after } of cases) {
    it(`says ${passes ? 'yes' : 'no'} to a request ${name}`, async () => {
      gate.shutFor(shut)
      const passed = gate.pass(end)
      await clock.settle()
      expect(clock.nextIn ?? 0).to.equal(after)
      await clock.advance(after)
      expect(await passed).to.equal(passes)
    })
  }

  it('lets a request that its caller gives up wait no longer', async () => {
    gate.shutFor(1000)
    const caller = new AbortController()
    const passed = gate.pass(5000, caller.signal)
    await clock.settle()
    caller.abort()
    await passed
    expect([clock.pending, gate.opensIn]).to.deep.equal([0, 1000])
  })

  it('refuses a waiting request as soon as it is shut for longer than the request may wait', async () => {
    gate.shutFor(1000)
    const passed = gate.pass(5000)
    await clock.advance(500)
    gate.shutFor(60_000)
    await clock.advance(600)
    expect([await passed, clock.pending]).to.deep.equal([false, 0])
  })
})
