import { expect } from 'chai'
import { Dice } from '../../../src/rolebook/prove/dice.ts'

describe('dice', () => {
  it('fall the same for the same seed', () => {
    const fall = (seed: number) => {
      const dice = new Dice(seed)
      return Array.from({ length: 20 }, () => [dice.below(6), dice.percent(50), dice.pick(['a', 'b', 'c'])])
    }
    expect(fall(1)).to.deep.equal(fall(1))
    expect(fall(1)).not.to.deep.equal(fall(2))
  })

  it('pick nothing of an empty list', () => {
    expect(() => new Dice(1).pick([])).to.throw('there is nothing to pick')
  })
})
