import { expect } from 'chai'
import { type BuiltinCase, describeBuiltin, ours, smallBudget } from './builtin-cases.ts'

const formats: readonly (readonly [value: number, picture: string, text: string, options?: object])[] = [
  [12345.6, '#,###.00', '12,345.60'],
  [12345678.9, '9,999.99', '12,345,678.90'],
  [123.9, '9999', '0124'],
  [0.14, '01%', '14%'],
  [0.14, '001‰', '140‰'],
  [-6, '000', '-006'],
  [-6, '000;(000)', '(006)'],
  [6, '000;(000)', '006'],
  [1234.5678, '00.000e0', '12.346e2'],
  [1234.5678, '#0.0e00', '1.2e03'],
  [0.00012, '0.0e0', '1.2e-4'],
  [-1234.5678, '0.000e00', '-1.235e03'],
  [0, '0.000e00', '0.000e00'],
  [0.234, '.00e0', '.23e0'],
  [0.234, '#.00e0', '0.23e0'],
  [0.5, '#', '0'],
  [1.5, '#', '2'],
  [0, '#', '0'],
  [0, '#.#', '.0'],
  [3.1, '#.##', '3.1'],
  [3, '0.##', '3'],
  [0.25, '.0', '.2'],
  [1234567.891, '#,##0.00', '1,234,567.89'],
  [1234567, '#,##,##0', '12,34,567'],
  [12345678, '#,##,##,##0', '1,23,45,678'],
  [1234.5678, '0.00,00', '1234.56,78'],
  [1, '$0.00 each', '$1.00 each'],
  [12.5, '0,0', '12,5', { 'decimal-separator': ',', 'grouping-separator': '.' }],
  [1234.5, '#.##0,00', '1.234,50', { 'decimal-separator': ',', 'grouping-separator': '.' }],
  [1234.5, '٠٠٠٠٠.٠', '٠١٢٣٤.٥', { 'zero-digit': '٠' }],
  [-0.07, '0.0^0', '~7.0^~2', { 'exponent-separator': '^', 'minus-sign': '~' }],
  [0.14, '0pc', '14pc', { percent: 'pc' }],
  [5, '000|-000', '005', { 'pattern-separator': '|' }],
]

const broken: readonly (readonly [picture: string, code: string])[] = [
  ['0;0;0', 'D3080'],
  ['0.0.0', 'D3081'],
  ['0%%', 'D3082'],
  ['0‰‰', 'D3083'],
  ['0%‰', 'D3084'],
  ['.e0', 'D3085'],
  ['#abc#', 'D3086'],
  ['0x0', 'D3086'],
  ['0,.0', 'D3087'],
  ['0.,0', 'D3087'],
  ['0,', 'D3088'],
  ['0,,0', 'D3089'],
  ['0#.0', 'D3090'],
  ['0.#0', 'D3091'],
  ['0e0%', 'D3092'],
  ['0e', 'D3093'],
  ['0e#', 'D3093'],
  ['0;0x0', 'D3086'],
]

const own: readonly BuiltinCase[] = [
  {
    name: 'sets no separator where there are no digits',
    args: [5, '#,#,##0.0'],
    gives: '5.0',
    differs: 'writes ",5.,0"',
  },
  { name: 'sets no separator behind the fraction', args: [0.5, '0.##,#'], gives: '0.5', differs: 'writes "0.5,"' },
  {
    name: 'writes huge numbers in full',
    args: [1e21, '#,##0'],
    gives: '1,000,000,000,000,000,000,000',
    differs: 'groups "1e+21"',
  },
  { name: 'refuses infinity', args: [Number.NEGATIVE_INFINITY, '0'], fails: 'D1001', differs: 'writes "-Infinity"' },
  { name: 'refuses a missing picture', args: [1, undefined], fails: 'T0410', differs: 'has no code for it' },
  {
    name: 'refuses symbols that are no text',
    args: [1, '0', { 'zero-digit': 0 }],
    fails: 'T0410',
    differs: 'has no code for it',
  },
  {
    name: 'refuses more decimals than a number has',
    args: [1, `0.${'0'.repeat(101)}`],
    fails: 'T0410',
    differs: 'has no code for it',
  },
]

describe('$formatNumber', () => {
  describeBuiltin('formatNumber', [
    { name: 'gives nothing for nothing', args: [undefined, '0'] },
    ...formats.map(([value, picture, gives, options]) => ({
      name: `${value} as ${picture}${options === undefined ? '' : ` with ${JSON.stringify(options)}`}`,
      args: options === undefined ? [value, picture] : [value, picture, options],
      gives,
    })),
    ...broken.map(([picture, fails]) => ({ name: `refuses ${picture}`, args: [20, picture], fails })),
    ...own,
  ])

  it('refuses a long symbol', () => {
    expect(ours('formatNumber', [1, '0', { percent: '%'.repeat(17) }])).to.deep.equal({ code: 'T0410' })
  })

  it('refuses an empty symbol', () => {
    expect(ours('formatNumber', [1, '0', { 'grouping-separator': '' }])).to.deep.equal({ code: 'T0410' })
  })

  it('does not look for symbols in prototypes', () => {
    expect(ours('formatNumber', [1, '0', JSON.parse('{"__proto__": {"digit": 5}}')])).to.deep.equal({ value: '1' })
  })

  it('pays for a long picture', () => {
    const long = `${'#'.repeat(5000)}0`
    expect(ours('formatNumber', [1, long], smallBudget({ bytes: 10_000 }))).to.deep.equal({ code: 'E1002' })
    expect(ours('formatNumber', [1, `${'#,'.repeat(100_000)}0`])).to.deep.equal({ value: '1' })
  })
})
