import { expect } from 'chai'
import { parseDuration } from '../../../src/core/kube/duration.ts'

const cases: readonly (readonly [string, number | undefined])[] = [
  ['0s', 0],
  ['10s', 10_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['50ms', 50],
  ['2m3s4ms', 123_004],
  ['', undefined],
  ['10', undefined],
  ['-1s', undefined],
  ['1d', undefined],
  ['NaNs', undefined],
  ['1s ', undefined],
  [`${'9'.repeat(400)}h`, undefined],
]

describe('parseDuration', () => {
  for (const [text, expected] of cases) {
    it(text.length > 20 ? 'a number without end' : `"${text}"`, () => expect(parseDuration(text)).to.equal(expected))
  }
})
