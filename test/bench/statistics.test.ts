import { expect } from 'chai'
import { median, percentile } from '../../bench/statistics.ts'

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  const cases = [
    { name: 'of nothing is 0', figures: [], percent: 50, expected: 0 },
    { name: 'of one figure is that figure', figures: [7], percent: 99, expected: 7 },
    { name: 'is a figure that was measured, also between two', figures: [1, 4], percent: 50, expected: 1 },
    { name: 'sorts by number, not by text', figures: [10, 9, 100], percent: 50, expected: 10 },
    { name: 'leaves the slowest hundredth out', figures: hundred, percent: 99, expected: 99 },
    { name: 'of all is the largest', figures: hundred, percent: 100, expected: 100 },
  ]

  for (const { name, figures, percent, expected } of cases) {
    it(name, () => expect(percentile(figures, percent)).to.equal(expected))
  }

  it('of two rounds is half-way between them, as a median', () => {
    expect(median([4, 1])).to.equal(2.5)
    expect(median([3, 9, 1, 4])).to.equal(3.5)
    expect(median([])).to.equal(0)
  })

  it('leaves its figures in their order', () => {
    const figures = [3, 1, 2]
    expect(median(figures)).to.equal(2)
    expect(figures).to.deep.equal([3, 1, 2])
  })
})
