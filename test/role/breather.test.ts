import { expect } from 'chai'
import { FakeClock } from '../../src/base/fake-clock.ts'
import { Breather } from '../../src/role/breather.ts'

describe('Breather', () => {
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
    const breather = new Breather(clock)
    expect(await letsOthersRun(() => breather.breathe())).to.equal(false)
    clock.pass(25)
    expect(await letsOthersRun(() => breather.breathe())).to.equal(true)
    expect(await letsOthersRun(() => breather.breathe())).to.equal(false)
  })

  it('gives no turn to a run that begins after a long rest', async () => {
    const clock = new FakeClock()
    await new Breather(clock).breathe()
    await new Promise((resolve) => setImmediate(resolve))
    clock.pass(25)
    expect(await letsOthersRun(() => new Breather(clock).breathe())).to.equal(false)
  })

  it('gives each task what it may compute, whether or not others had to wait', async () => {
    let renewed = 0
    const breather = new Breather(new FakeClock(), { renew: () => void renewed++ })
    await breather.breathe()
    await breather.breathe()
    expect(renewed).to.equal(2)
  })

  it('gives a turn to each of many runs that begin at once', async () => {
    const clock = new FakeClock()
    const first = new Breather(clock)
    let turns = 0
    const count = (): void => {
      turns += 1
      if (turns < 10) setImmediate(count)
    }
    setImmediate(count)
    const seen = await Promise.all(
      [1, 2, 3].map(async () => {
        const breather = new Breather(clock)
        clock.pass(25)
        await breather.breathe()
        return turns
      }),
    )
    expect(new Set(seen).size).to.equal(3)
    expect(await letsOthersRun(() => first.breathe())).to.equal(false)
  })
})
