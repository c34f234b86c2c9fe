import { expect } from 'chai'
import { ReloadProgress } from '../../../src/engine/operator/controller-for-kind.ts'
import type { Reconciler, Request } from '../../../src/engine/runtime/reconciler.ts'

const request = (name: string): Request => ({ group: 'example.com', kind: 'Widget', namespace: 'd', name })

describe('ReloadProgress', () => {
  let ends: number
  let progress: ReloadProgress
  let reconciler: Reconciler
  let gates: PromiseWithResolvers<void>[]
  beforeEach(() => {
    ends = 0
    gates = []
    progress = new ReloadProgress(() => ends++)
    reconciler = progress.observing({
      reconcile: async () => {
        const gate = Promise.withResolvers<void>()
        gates.push(gate)
        await gate.promise
        return {}
      },
    })
  })

  const start = (name: string): (() => Promise<unknown>) => {
    const run = reconciler.reconcile(request(name), new AbortController().signal)
    const gate = gates.at(-1)
    return () => {
      gate?.resolve()
      return run
    }
  }
  const report = (name: string): void =>
    progress.observe({ request: request(name), outcome: 'complete', changed: false, wroteStatus: false, at: 0 })

  it('is over at once when it concerns nothing and nothing runs', () => {
    progress.begin([])
    expect(ends).to.equal(1)
  })

  it('is over when everything that it concerns has been run, and says so once', async () => {
    progress.begin([request('a'), request('b')])
    for (const name of ['a', 'b']) {
      expect(ends).to.equal(0)
      const end = start(name)
      report(name)
      await end()
    }
    await start('a')()
    expect(ends).to.equal(1)
  })

  it('is not over while a run lasts that began before', async () => {
    const end = start('other')
    progress.begin([])
    await start('new')()
    expect(ends).to.equal(0)
    await end()
    expect(ends).to.equal(1)
  })

  it('does not take the end of a former run for a run of the new role', async () => {
    const end = start('a')
    progress.begin([request('a')])
    report('a')
    await end()
    expect(ends).to.equal(0)
    const again = start('a')
    report('a')
    await again()
    expect(ends).to.equal(1)
  })

  it('waits for another try when a run came to nothing', async () => {
    progress.begin([request('a')])
    await start('a')()
    expect(ends).to.equal(0)
  })

  it('waits for what a former reload concerned, too', async () => {
    progress.begin([request('a')])
    progress.begin([request('b')])
    const end = start('b')
    report('b')
    await end()
    expect(ends).to.equal(0)
  })
})
