import { expect } from 'chai'
import { type BuiltinCase, describeBuiltin, ours, smallBudget } from './builtin-cases.ts'

const formats: readonly (readonly [value: number, picture: string, text: string])[] = [
  [0, '0', '0'],
  [123, '0000', '0123'],
  [-123.4, '0000', '-0124'],
  [1234567, '#,##0', '1,234,567'],
  [1234567, "#'##0", "1'234'567"],
  [1234567, '#,##,#0', '1,23,45,67'],
  [1234567, '##,##,##0', '12,34,567'],
  [1234567, '#:##,##0', '12:34,567'],
  [123, '٠٠٠٠', '٠١٢٣'],
  [1, '0;o', '1st'],
  [2, '0;o', '2nd'],
  [3, '0;o', '3rd'],
  [4, '0;o', '4th'],
  [11, '0;o', '11th'],
  [112, '0;o', '112th'],
  [1322, '0;o', '1322nd'],
  [7, '0;c', '7'],
  [0, 'i', ''],
  [1999, 'i', 'mcmxcix'],
  [3878, 'I', 'MMMDCCCLXXVIII'],
  [444, 'I', 'CDXLIV'],
  [1, 'a', 'a'],
  [26, 'A', 'Z'],
  [27, 'A', 'AA'],
  [703, 'a', 'aaa'],
  [0, 'w', 'zero'],
  [0, 'w;o', 'zeroth'],
  [17, 'W', 'SEVENTEEN'],
  [20, 'w;o', 'twentieth'],
  [42, 'Ww', 'Forty-Two'],
  [42, 'w;o', 'forty-second'],
  [100, 'w', 'one hundred'],
  [100, 'w;o', 'one hundredth'],
  [1001, 'w', 'one thousand and one'],
  [1234, 'w', 'one thousand, two hundred and thirty-four'],
  [12345678, 'Ww;o', 'Twelve Million, Three Hundred and Forty-Five Thousand, Six Hundred and Seventy-Eighth'],
  [1e12, 'w;o', 'one trillionth'],
  [1e16, 'w', 'ten thousand trillion'],
  [1e27, 'w', 'one thousand trillion trillion'],
  [-5, 'w', '-five'],
]

const parses: readonly (readonly [text: string, picture: string, value: number])[] = [
  ['0123', '0000', 123],
  ['1,234,567', '#,##0', 1234567],
  ['12:34,567', '#:##,##0', 1234567],
  ['٠١٢٣', '٠٠٠٠', 123],
  ['21st', '0;o', 21],
  ['mcmxcix', 'i', 1999],
  ['MCMXCIX', 'I', 1999],
  ['MmX', 'i', 2010],
  ['aaa', 'a', 703],
  ['AB', 'A', 28],
  ['one thousand, two hundred and thirty-four', 'w', 1234],
  ['Nineteen Hundred and Eighty-Four', 'Ww', 1984],
  ['twenty-first', 'w;o', 21],
  ['one hundredth', 'w;o', 100],
  ['twelve trillionth', 'w;o', 12e12],
  ['two million and three', 'w', 2000003],
  ['12abc', '0', 12],
]

const wrong: readonly BuiltinCase[] = [
  { name: 'refuses other words', args: ['eleventy', 'w'], fails: 'D3030', differs: 'gives NaN' },
  { name: 'refuses other letters for Roman numerals', args: ['abc', 'i'], fails: 'D3030', differs: 'gives NaN' },
  { name: 'refuses lower case where upper is said', args: ['mc', 'I'], fails: 'D3030', differs: 'gives NaN' },
  { name: 'refuses text without digits', args: ['abc', '0'], fails: 'D3030', differs: 'gives NaN' },
  { name: 'refuses an unknown sequence', args: ['abc', 'x'], fails: 'D3130' },
  { name: 'refuses a missing picture', args: ['1', undefined], fails: 'T0410', differs: 'has no code for it' },
]

describe('functions on integers', () => {
  describeBuiltin('formatInteger', [
    { name: 'gives nothing for nothing', args: [undefined, '0'] },
    ...formats.map(([value, picture, gives]) => ({ name: `${value} as ${picture}`, args: [value, picture], gives })),
    { name: 'refuses an unknown sequence', args: [1, 'α'], fails: 'D3130' },
    { name: 'refuses digits of two scripts', args: [1, '0٠'], fails: 'D3131' },
    { name: 'refuses a missing picture', args: [1, undefined], fails: 'T0410', differs: 'has no code for it' },
    {
      name: 'sets no separator before the first digit',
      args: [12, '##,##,##0'],
      gives: '12',
      differs: 'writes ",,12"',
    },
    {
      name: 'writes huge numbers in full',
      args: [1e21, '0'],
      gives: '1000000000000000000000',
      differs: 'writes "1e+21"',
    },
    { name: 'refuses infinity', args: [Number.POSITIVE_INFINITY, '0'], fails: 'D1001', differs: 'writes "Infinity"' },
  ])

  describeBuiltin('parseInteger', [
    { name: 'gives nothing for nothing', args: [undefined, '0'] },
    ...parses.map(([text, picture, gives]) => ({ name: `${text} as ${picture}`, args: [text, picture], gives })),
    ...wrong,
  ])

  it('reads what it writes', () => {
    for (const picture of ['0', '#,##0', 'i', 'I', 'a', 'A', 'w', 'W', 'Ww', 'w;o', '0;o', '#٠']) {
      for (const value of [1, 9, 14, 19, 40, 99, 101, 999, 1000, 1010, 3999]) {
        const { value: text } = ours('formatInteger', [value, picture]) as { value: string }
        expect(ours('parseInteger', [text, picture]), `${value} as ${picture}: ${text}`).to.deep.equal({ value })
      }
    }
  })

  it('ends at a limit', () => {
    expect(ours('formatInteger', [1e15, 'i']))
      .to.have.property('code')
      .that.matches(/^E100[12]$/)
    const long = smallBudget({ bytes: 10_000 })
    expect(ours('formatInteger', [1, '0'.repeat(10_000)], long)).to.deep.equal({ code: 'E1002' })
    expect(ours('parseInteger', ['1', '0'.repeat(10_000)], smallBudget({ bytes: 10_000 }))).to.deep.equal({
      code: 'E1002',
    })
  })
})
