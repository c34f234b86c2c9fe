import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { BurstDelay } from '../../../src/engine/runtime/burst-delay.ts'

/** A delay whose tasks note that they have begun, and end when the test says so. */
function delayed() {
  const clock = new FakeClock()
  const delay = new BurstDelay(clock)
  const begun: number[] = []
  const ends: (() => void)[] = []
  let count = 0
  const add = (tasks: number): void => {
    for (let task = 0; task < tasks; task++) {
      const id = count++
      delay.add(() => {
        begun.push(id)
        return new Promise((resolve) => ends.push(resolve))
      })
    }
  }
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0)) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, delay, begun, add, endAll }
}

describe('work that a burst puts off', () => {
  it('begins at once while there is little of it', async () => {
    const { clock, begun, add } = delayed()
    add(20)
    expect(begun).to.have.length(20)
    await clock.advance(1_000)
    add(20)
    expect(begun, 'a second later').to.have.length(40)
  })

  it('waits for half a second without more of it', async () => {
    const { clock, begun, add } = delayed()
    add(21)
    await clock.advance(400)
    add(1)
    await clock.advance(499)
    expect(begun).to.have.length(20)
    await clock.advance(1)
    expect(begun).to.have.length(22)
  })

  it('waits for ten seconds at most', async () => {
    const { clock, begun, add } = delayed()
    add(20)
    for (let quarter = 0; quarter < 39; quarter++) {
      add(1)
      await clock.advance(250)
    }
    expect(begun).to.have.length(20)
    add(1)
    await clock.advance(250)
    expect(begun, 'as many as run at a time').to.have.length(28)
  })

  it('is done in its order, eight at a time', async () => {
    const { clock, begun, add, endAll } = delayed()
    add(40)
    await clock.advance(500)
    expect(begun.slice(20)).to.deep.equal([20, 21, 22, 23, 24, 25, 26, 27])
    await endAll()
    expect(begun.slice(28)).to.deep.equal([28, 29, 30, 31, 32, 33, 34, 35])
    await endAll()
    expect(begun).to.deep.equal([...Array(40).keys()])
  })

  it('begins before its time when it is asked for', async () => {
    const { clock, delay, begun, add } = delayed()
    add(22)
    delay.release()
    await clock.advance(0)
    expect(begun).to.have.length(22)
    await clock.advance(60_000)
    expect(begun, 'once').to.have.length(22)
  })
})
