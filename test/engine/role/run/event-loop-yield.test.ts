import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { EventLoopYield } from '../../../../src/engine/role/run/event-loop-yield.ts'

describe('EventLoopYield', () => {
  /** Whether timers of the process had their turn meanwhile. */
  async function letsOthersRun(run: () => Promise<void>): Promise<boolean> {
    let ran = false
    setImmediate(() => {
      ran = true
    })
    await run()
    return ran
  }

  it('lets the event loop turn once a run has computed for long', async () => {
    const clock = new FakeClock()
    const eventLoop = new EventLoopYield(clock)
    expect(await letsOthersRun(() => eventLoop.yield())).to.equal(false)
    clock.pass(25)
    expect(await letsOthersRun(() => eventLoop.yield())).to.equal(true)
    expect(await letsOthersRun(() => eventLoop.yield())).to.equal(false)
  })

  it('gives no turn to a run that begins after a long rest', async () => {
    const clock = new FakeClock()
    await new EventLoopYield(clock).yield()
    await new Promise((resolve) => setImmediate(resolve))
    clock.pass(25)
    expect(await letsOthersRun(() => new EventLoopYield(clock).yield())).to.equal(false)
  })

  it('gives each task what it may compute, whether or not others had to wait', async () => {
    let renewed = 0
    const eventLoop = new EventLoopYield(new FakeClock(), { renew: () => void renewed++ })
    await eventLoop.yield()
    await eventLoop.yield()
    expect(renewed).to.equal(2)
  })

  it('gives a turn to each of many runs that begin at once', async () => {
    const clock = new FakeClock()
    const first = new EventLoopYield(clock)
    let turns = 0
    const count = (): void => {
      turns += 1
      if (turns < 10) setImmediate(count)
    }
    setImmediate(count)
    const seen = await Promise.all(
      [1, 2, 3].map(async () => {
        const eventLoop = new EventLoopYield(clock)
        clock.pass(25)
        await eventLoop.yield()
        return turns
      }),
    )
    expect(new Set(seen).size).to.equal(3)
    expect(await letsOthersRun(() => first.yield())).to.equal(false)
  })
})
