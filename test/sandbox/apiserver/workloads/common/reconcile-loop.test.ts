import { expect } from 'chai'
import { FakeClock } from '../../../../../src/core/base/fake-clock.ts'
import { ReconcileLoop } from '../../../../../src/sandbox/apiserver/workloads/common/reconcile-loop.ts'

const key = (name: string) => ({ namespace: 'default', name })

describe('ReconcileLoop', () => {
  let clock: FakeClock
  let calls: string[]
  let fail: (name: string) => boolean
  let loop: ReconcileLoop

  beforeEach(() => {
    clock = new FakeClock()
    calls = []
    fail = () => false
    loop = new ReconcileLoop(clock, ({ name }) => {
      calls.push(`${name}@${clock.monotonic()}`)
      if (fail(name)) throw new Error('not yet')
    })
  })

  it('calls a key once, however often it was enqueued before its turn', async () => {
    for (const name of ['a', 'b', 'a']) loop.enqueue(key(name))
    await clock.settle()
    expect(calls).to.deep.equal(['a@0', 'b@0'])
  })

  it('keeps the earliest of several times', async () => {
    loop.enqueueAfter(key('a'), 100)
    loop.enqueueAfter(key('a'), 50)
    loop.enqueueAfter(key('a'), 200)
    await clock.advance(1000)
    expect(calls).to.deep.equal(['a@50'])
  })

  it('tries again what throws, later each time, and starts over after a success', async () => {
    let failures = 3
    fail = () => failures-- > 0
    loop.enqueue(key('a'))
    await clock.advance(1000)
    expect(calls).to.deep.equal(['a@0', 'a@5', 'a@15', 'a@35'])
    failures = 1
    loop.enqueue(key('a'))
    await clock.advance(1000)
    expect(calls.slice(4)).to.deep.equal(['a@1000', 'a@1005'])
  })

  it('looks again within the hour, however late a time is', async () => {
    loop.enqueueAfter(key('a'), 2 ** 40)
    await clock.advance(3_600_000)
    expect(calls).to.have.length(1)
  })

  it('gives others a turn when it never comes to rest', async () => {
    let count = 0
    const busy = new ReconcileLoop(clock, ({ name }) => {
      if (count++ < 1000) busy.enqueue(key(name))
    })
    busy.enqueue(key('a'))
    await clock.settle()
    expect(count).to.be.lessThan(100)
    await clock.advance(0)
    expect(count).to.be.greaterThan(100)
  })

  it('calls nothing after its stop', async () => {
    loop.enqueue(key('a'))
    loop.enqueueAfter(key('b'), 10)
    loop.stop()
    loop.enqueue(key('c'))
    loop.enqueueAfter(key('d'), 10)
    await clock.advance(100)
    expect([calls, clock.pending]).to.deep.equal([[], 0])
  })

  it('calls nothing after its stop in the middle of a batch', async () => {
    const stopping: ReconcileLoop = new ReconcileLoop(clock, ({ name }) => {
      calls.push(name)
      stopping.stop()
    })
    for (const name of ['a', 'b']) stopping.enqueue(key(name))
    await clock.settle()
    expect(calls).to.deep.equal(['a'])
  })
})
