import { expect } from 'chai'
import { RunningClock } from '../../../src/rolebook/playground/running-clock.ts'

describe('the clock of a cluster that a person looks at', () => {
  const running = new RunningClock()
  const { clock } = running
  after(() => running.stop())

  /** Resolves with the time at which something fires that falls due after so long. */
  const due = (milliseconds: number): Promise<number> =>
    new Promise((resolve) => clock.schedule(milliseconds, () => resolve(clock.now())))

  it('runs by itself', async () => {
    const began = clock.now()
    expect(await due(30)).to.equal(began + 30)
  })

  it('stays where it stands when it is stopped, and what is due happens', async () => {
    await running.setRunning(false)
    expect(running.isRunning).to.equal(false)
    const stopped = clock.now()
    for (const _tick of [1, 2, 3]) expect(await due(0)).to.equal(stopped)
    expect(clock.now()).to.equal(stopped)
  })

  it('is moved forward while it stands', async () => {
    const stopped = clock.now()
    const fired = due(60_000)
    await running.advance(60_000)
    expect(await fired).to.equal(stopped + 60_000)
    expect(clock.now()).to.equal(stopped + 60_000)
  })

  it('does not catch up on the time for which it stood', async () => {
    const stopped = clock.now()
    await running.setRunning(true)
    expect(await due(1)).to.equal(stopped + 1)
  })
})
