import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { Guard } from '../../../src/core/kube-client/exchange-guard.ts'

describe('Guard', () => {
  it('ends an exchange at once whose caller has given up before it began', () => {
    const ends: unknown[] = []
    const guard = new Guard(new FakeClock(), 1000, { signal: AbortSignal.abort('enough') })
    guard.whenOver((reason) => ends.push(reason))
    guard.release()
    expect(ends).to.deep.equal(['enough'])
  })
})
