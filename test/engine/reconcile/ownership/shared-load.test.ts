import { expect } from 'chai'
import { SharedLoad } from '../../../../src/engine/reconcile/ownership/ledger.ts'

describe('SharedLoad', () => {
  it('loads once, and again only after a failure', async () => {
    let loads = 0
    const shared = new SharedLoad(async () => {
      loads++
      if (loads === 1) throw new Error('not yet')
      return loads
    })
    const failed = await Promise.all([1, 2].map(() => shared.get().catch((error: Error) => error.message)))
    expect(failed).to.deep.equal(['not yet', 'not yet'])
    expect(await Promise.all([shared.get(), shared.get()])).to.deep.equal([2, 2])
    expect(await shared.get()).to.equal(2)
  })

  it('ends no later load when the former one is given up', async () => {
    const signals: AbortSignal[] = []
    const shared = new SharedLoad((signal) => {
      signals.push(signal)
      // A load that does not listen to its signal.
      return new Promise<never>(() => undefined)
    })
    const [first, second] = [new AbortController(), new AbortController()]
    const given = shared.get(first.signal).catch(() => 'given up')
    first.abort()
    const waiting = shared.get(second.signal).catch(() => 'given up')
    expect(await given).to.equal('given up')
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false])
    second.abort()
    await waiting
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true])
  })
})
