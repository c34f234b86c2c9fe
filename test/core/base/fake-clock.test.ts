import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'

describe('FakeClock', () => {
  it('fires timers in order of due time, then of creation, including those set on the way', async () => {
    const clock = new FakeClock()
    const fired: string[] = []
    clock.schedule(20, () => fired.push(`c@${clock.monotonic()}`))
    clock.schedule(10, () => {
      fired.push(`a@${clock.monotonic()}`)
      clock.schedule(5, () => fired.push(`b@${clock.monotonic()}`))
    })
    clock.schedule(20, () => fired.push(`d@${clock.monotonic()}`))
    clock.schedule(21, () => fired.push('late'))
    await clock.advance(20)
    expect(fired).to.deep.equal(['a@10', 'b@15', 'c@20', 'd@20'])
    expect(clock.pending).to.equal(1)
    expect(clock.nextIn).to.equal(1)
  })

  it('lets promise chains run between timers', async () => {
    const clock = new FakeClock()
    const seen: number[] = []
    const loop = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        await clock.sleep(10)
        seen.push(clock.monotonic())
      }
    }
    const done = loop()
    await clock.advance(100)
    await done
    expect(seen).to.deep.equal([10, 20, 30])
  })

  it('wakes a sleeper at once when its signal aborts, and leaves no timer', async () => {
    const clock = new FakeClock()
    const abort = new AbortController()
    const slept = clock.sleep(1000, abort.signal)
    abort.abort()
    await slept
    expect(clock.pending).to.equal(0)
  })

  it('moves wall and monotonic time together, but steps wall time alone', async () => {
    const clock = new FakeClock(1000)
    await clock.advance(5)
    clock.stepWallTime(-500)
    expect([clock.now(), clock.monotonic()]).to.deep.equal([505, 5])
  })
})
