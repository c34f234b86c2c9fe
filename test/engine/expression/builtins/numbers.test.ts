import { expect } from 'chai'
import { describeBuiltin, ours, smallBudget } from './builtin-cases.ts'

const missing = { name: 'gives nothing for nothing', args: [undefined] }
const empty = { name: 'gives nothing for an empty list', args: [[]] }

describe('functions on numbers', () => {
  describeBuiltin('number', [
    missing,
    { name: 'leaves numbers', args: [1.5], gives: 1.5 },
    { name: 'reads decimals', args: ['-12.50'], gives: -12.5 },
    { name: 'reads exponents', args: ['1e-3'], gives: 0.001 },
    { name: 'reads hexadecimal', args: ['0x1F'], gives: 31 },
    { name: 'reads octal', args: ['0o17'], gives: 15 },
    { name: 'reads binary', args: ['0b101'], gives: 5 },
    { name: 'reads true', args: [true], gives: 1 },
    { name: 'reads false', args: [false], gives: 0 },
    { name: 'refuses words', args: ['ten'], fails: 'D3030' },
    { name: 'refuses empty text', args: [''], fails: 'D3030' },
    { name: 'refuses space around', args: [' 1'], fails: 'D3030' },
    { name: 'refuses a dot without digits', args: ['1.'], fails: 'D3030' },
    { name: 'refuses what is out of range', args: ['1e999'], fails: 'D3030' },
    { name: 'refuses a half read number', args: ['0x1Fzz'], fails: 'D3030', differs: 'its pattern has no end: NaN' },
  ])
  describeBuiltin('abs', [missing, { name: 'drops the sign', args: [-3.5], gives: 3.5 }])
  describeBuiltin('floor', [missing, { name: 'rounds down', args: [-3.5], gives: -4 }])
  describeBuiltin('ceil', [missing, { name: 'rounds up', args: [3.2], gives: 4 }])

  describeBuiltin('round', [
    missing,
    { name: 'rounds', args: [4.6], gives: 5 },
    { name: 'rounds half to even, down', args: [4.5], gives: 4 },
    { name: 'rounds half to even, up', args: [5.5], gives: 6 },
    { name: 'rounds negative halves', args: [-3.5], gives: -4 },
    { name: 'has no negative zero', args: [-0.5], gives: 0 },
    { name: 'rounds to places', args: [123.456, 2], gives: 123.46 },
    { name: 'rounds half to even at places', args: [2.675, 2], gives: 2.68 },
    { name: 'rounds tens', args: [155, -1], gives: 160 },
    { name: 'rounds beyond all digits', args: [155, -3], gives: 0 },
    { name: 'rounds numbers with exponents', args: [1.2345e-7, 9], gives: 1.23e-7 },
  ])

  describeBuiltin('power', [
    { name: 'gives nothing for nothing', args: [undefined, 2] },
    { name: 'raises', args: [2, 8], gives: 256 },
    { name: 'takes fractions', args: [9, 0.5], gives: 3 },
    { name: 'refuses infinity', args: [10, 1000], fails: 'D3061' },
    { name: 'refuses roots of negatives', args: [-2, 0.5], fails: 'D3061' },
    { name: 'refuses a missing exponent', args: [2, undefined], fails: 'D3061' },
  ])
  describeBuiltin('sqrt', [
    missing,
    { name: 'takes the root', args: [16], gives: 4 },
    { name: 'refuses negatives', args: [-1], fails: 'D3060' },
  ])
  describeBuiltin('sum', [
    missing,
    { name: 'adds', args: [[1, 2, 3.5]], gives: 6.5 },
    { name: 'is 0 for an empty list', args: [[]], gives: 0 },
  ])
  describeBuiltin('max', [missing, empty, { name: 'takes the largest', args: [[-1, 3, 2]], gives: 3 }])
  describeBuiltin('min', [missing, empty, { name: 'takes the smallest', args: [[4, 3, 5]], gives: 3 }])
  describeBuiltin('average', [missing, empty, { name: 'takes the mean', args: [[1, 2, 6]], gives: 3 }])

  describeBuiltin('formatBase', [
    missing,
    { name: 'writes base 10 by default', args: [100], gives: '100' },
    { name: 'writes base 2', args: [100, 2], gives: '1100100' },
    { name: 'writes base 36', args: [35.6, 36], gives: '10' },
    { name: 'rounds the base', args: [255, 15.7], gives: 'ff' },
    { name: 'refuses base 1', args: [100, 1], fails: 'D3100' },
    { name: 'refuses base 37', args: [100, 37], fails: 'D3100' },
  ])

  it('counts the items of a list as steps', () => {
    const list = Array(1000).fill(1)
    for (const name of ['sum', 'max', 'min', 'average']) {
      expect(ours(name, [list], smallBudget({ steps: 999 })), name).to.deep.equal({ code: 'E1001' })
    }
  })

  it('takes the maximum of a list longer than a call can have arguments', () => {
    expect(ours('max', [Array.from({ length: 300_000 }, (_, index) => index)])).to.deep.equal({ value: 299_999 })
  })
})
