import { expect } from 'chai'
import { cryptographicBytes } from '../../../src/core/base/hash.ts'
import { type RandomBytes, randomText } from '../../../src/core/base/random-text.ts'

/** Bytes that count up from `first`, as many as are asked for. */
function counting(first = 0): RandomBytes {
  let next = first
  return (count) => Uint8Array.from({ length: count }, () => next++ % 256)
}

describe('randomText', () => {
  it('takes its characters from the set and has its length', () => {
    expect(randomText(12, 'abcdefghij', cryptographicBytes)).to.match(/^[a-j]{12}$/)
    expect(randomText(5, 'abcdefghij', counting())).to.equal('abcde')
  })

  it('draws again what would favour the first characters', () => {
    // 250 to 255 are beyond the last whole multiple of ten.
    expect(randomText(3, 'abcdefghij', counting(249))).to.equal('jab')
  })

  it('gives every character equally often over all bytes', () => {
    for (const size of [10, 16, 62, 64, 93]) {
      const set = Array.from({ length: size }, (_, index) => String.fromCharCode(33 + index)).join('')
      const whole = 256 - (256 % size)
      const text = randomText(whole, set, counting())
      expect(new Set([...set].map((one) => text.split(one).length - 1))).to.deep.equal(new Set([whole / size]))
    }
  })
})
