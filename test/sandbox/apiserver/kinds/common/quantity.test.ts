import { expect } from 'chai'
import { canonicalQuantity } from '../../../../../src/sandbox/apiserver/kinds/common/quantity.ts'

describe('quantities', () => {
  it('are read alike the first time and later, also when there are very many', () => {
    for (const _round of [1, 2]) {
      for (let amount = 1; amount <= 1100; amount++) {
        expect(canonicalQuantity(`${amount}000m`)).to.equal(canonicalQuantity(amount))
      }
      expect(canonicalQuantity('0.5Gi')).to.equal('512Mi')
      expect(canonicalQuantity('none')).to.equal(undefined)
      expect(canonicalQuantity('1'.repeat(101))).to.equal(undefined)
    }
  })
})
