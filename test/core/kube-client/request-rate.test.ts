import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { RequestRate, type RequestRateOptions } from '../../../src/core/kube-client/request-rate.ts'

/** Starts so many requests at once, and counts how many passed within each second. */
async function countsOf(requests: number, seconds: number, options: Omit<RequestRateOptions, 'clock'>) {
  const clock = new FakeClock()
  const rate = new RequestRate({ clock, ...options })
  const passed: number[] = []
  for (let index = 0; index < requests; index++) void rate.pass().then(() => passed.push(clock.monotonic()))
  await clock.advance(0)
  const began = clock.monotonic()
  const counts = [passed.length]
  for (let second = 1; second <= seconds; second++) {
    await clock.advance(1000)
    counts.push(passed.filter((at) => at > began + (second - 1) * 1000 && at <= began + second * 1000).length)
  }
  return counts
}

describe('the rate of requests', () => {
  const cases = [
    { name: 'a burst of two seconds, then as many as may', perSecond: 5, burst: undefined, counts: [10, 5, 5, 5] },
    { name: 'a burst of its own', perSecond: 5, burst: 3, counts: [3, 5, 5, 5] },
    { name: 'no burst', perSecond: 2, burst: 1, counts: [1, 2, 2, 2] },
    { name: 'less than one a second', perSecond: 0.5, burst: undefined, counts: [1, 0, 1, 0] },
  ]
  for (const { name, counts, ...options } of cases) {
    it(`lets through ${name}`, async () => {
      expect(await countsOf(30, 3, options)).to.deep.equal(counts)
    })
  }

  it('lets requests through in their order, and says how long each was held back', async () => {
    const clock = new FakeClock()
    const rate = new RequestRate({ clock, perSecond: 10, burst: 1 })
    const waits = Promise.all([rate.pass(), rate.pass(), rate.pass()])
    await clock.advance(1000)
    expect(await waits).to.deep.equal([0, 100, 200])
  })

  it('fills up again while nothing comes', async () => {
    const clock = new FakeClock()
    const rate = new RequestRate({ clock, perSecond: 10, burst: 2 })
    await Promise.all([rate.pass(), rate.pass()])
    await clock.advance(10_000)
    expect(await Promise.all([rate.pass(), rate.pass()])).to.deep.equal([0, 0])
  })

  it('does not hold back a request that its caller has given up', async () => {
    const clock = new FakeClock()
    const rate = new RequestRate({ clock, perSecond: 1, burst: 1 })
    await rate.pass()
    expect(await rate.pass(AbortSignal.abort())).to.equal(0)
  })
})
