import { expect } from 'chai'
import { compareResourceVersions } from '../../../src/engine/runtime/resource-version.ts'

describe('compareResourceVersions', () => {
  const cases: {
    left: string | undefined
    right: string | undefined
    expected: 'older' | 'same' | 'newer' | 'unknown'
  }[] = [
    { left: '1', right: '1', expected: 'same' },
    { left: '9', right: '10', expected: 'older' },
    { left: '10', right: '9', expected: 'newer' },
    { left: '99', right: '100', expected: 'older' },
    { left: '124', right: '123', expected: 'newer' },
    { left: '0', right: '5', expected: 'older' },
    { left: '18446744073709551617', right: '18446744073709551616', expected: 'newer' },
    { left: 'abc', right: 'abc', expected: 'same' },
    { left: 'abc', right: 'abd', expected: 'unknown' },
    { left: '01', right: '2', expected: 'unknown' },
    { left: '-1', right: '2', expected: 'unknown' },
    { left: '1.5', right: '2', expected: 'unknown' },
    { left: '9'.repeat(40), right: '2', expected: 'unknown' },
    { left: undefined, right: '2', expected: 'unknown' },
    { left: '', right: '', expected: 'unknown' },
  ]
  for (const { left, right, expected } of cases) {
    it(`${left} against ${right}: ${expected}`, () => {
      const order = compareResourceVersions(left, right)
      const found = order === undefined ? 'unknown' : order < 0 ? 'older' : order > 0 ? 'newer' : 'same'
      expect(found).to.equal(expected)
    })
  }
})
