import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ControllerFailures } from '../../../src/engine/operator/running-controllers.ts'

const MINUTE = 60_000

describe('A controller that fails', () => {
  let clock: FakeClock
  let failures: ControllerFailures
  beforeEach(() => {
    clock = new FakeClock()
    failures = new ControllerFailures({ clock, logger: nopLogger })
  })

  /** Fails, and is started again. Returns for how long it was down. */
  async function fail(kind: string): Promise<number> {
    const before = clock.monotonic()
    const paused = failures.pause(kind, new Error('a defect'), undefined)
    await clock.advance(clock.nextIn ?? 0)
    await paused
    return clock.monotonic() - before
  }

  it('stays down for longer each time, for five minutes at most', async () => {
    const times: number[] = []
    for (let round = 0; round < 12; round++) times.push(await fail('Widget'))
    expect(times[0]).to.be.within(500, 1_000)
    expect(times[3]).to.be.within(4_000, 8_000)
    expect(times.at(-1)).to.be.within(2.5 * MINUTE, 5 * MINUTE)
  })

  it('is started again even if the log cannot be written, which may be why it has failed', async () => {
    const error = (): void => {
      throw new Error('the disk is full')
    }
    failures = new ControllerFailures({ clock, logger: { ...nopLogger, error } })
    expect(await fail('Widget')).to.be.within(500, 1_000)
  })

  it('begins with a second again after ten minutes without a failure, and does not slow down others', async () => {
    for (let round = 0; round < 8; round++) await fail('Widget')
    expect(await fail('Gadget')).to.be.at.most(1_000)
    await clock.advance(10 * MINUTE)
    expect(await fail('Widget')).to.be.at.most(1_000)
  })
})
