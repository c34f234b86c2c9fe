import { expect } from 'chai'
import { Slots } from '../../../src/core/base/slots.ts'

describe('Slots', () => {
  it('give at most so many at once, in the order in which they are asked for', async () => {
    const slots = new Slots(2)
    const log: string[] = []
    const use = async (name: string): Promise<void> => {
      const slot = slots.take()
      if (slot) await slot
      log.push(name)
    }
    const [, , third, fourth] = [use('a'), use('b'), use('c'), use('d')]
    expect(log).to.deep.equal(['a', 'b'])
    slots.giveBack()
    await third
    expect(log).to.deep.equal(['a', 'b', 'c'])
    slots.giveBack()
    await fourth
    expect(log).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('are free again once they are given back', () => {
    const slots = new Slots(1)
    for (let turn = 0; turn < 3; turn++) {
      expect(slots.take()).to.equal(undefined)
      slots.giveBack()
    }
  })
})
