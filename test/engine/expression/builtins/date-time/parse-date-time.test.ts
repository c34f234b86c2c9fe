import { expect } from 'chai'
import { type BuiltinCase, describeBuiltin, ours, smallBudget } from '../builtin-cases.ts'

const iso: readonly (readonly [text: string, iso: string])[] = [
  ['2018', '2018-01-01T00:00:00.000Z'],
  ['2018-05', '2018-05-01T00:00:00.000Z'],
  ['2017-10-30', '2017-10-30T00:00:00.000Z'],
  ['2017-10-30T15:28:34Z', '2017-10-30T15:28:34.000Z'],
  ['2017-10-30T15:28:34.1Z', '2017-10-30T15:28:34.100Z'],
  ['2018-02-01T09:42:13.123+0000', '2018-02-01T09:42:13.123Z'],
  ['2018-02-01T09:42:13.0579999-05:30', '2018-02-01T15:12:13.057Z'],
  ['2018-02-01T24:00:00Z', '2018-02-02T00:00:00.000Z'],
  ['2018-02-30', '2018-03-02T00:00:00.000Z'],
  ['2017-10-30T15:28:34', '2017-10-30T15:28:34.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
]

const notIso = ['foo', '', '01-02-2018', '2018-02-03 11:15:33', '2018-02-01T09:42', '2018-02-01T09:42:61Z', '18-01-01']
const noTime = [
  '2018-13-01',
  '2018-00-01',
  '2018-01-00',
  '2018-01-32',
  '2018-01-01T25:00:00Z',
  '2018-01-01T24:00:01Z',
  '2018-31',
]

const pictures: readonly (readonly [text: string, picture: string, iso: string | undefined])[] = [
  ['2018', '[Y1]', '2018-01-01T00:00:00.000Z'],
  ['201802', '[Y0001][M01]', '2018-02-01T00:00:00.000Z'],
  ['20180205', '[Y0001][M01][D01]', '2018-02-05T00:00:00.000Z'],
  ['20240101123849', '[Y0000][M00][D00][H00][m00][s00]', '2024-01-01T12:38:49.000Z'],
  ['201802', '[Y,*-4][M01]', '2018-02-01T00:00:00.000Z'],
  ['2018-03-27T14:03:00.123Z', '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001]Z', '2018-03-27T14:03:00.123Z'],
  ['2026-04-08T19:05:04.01987', '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f1]', '2026-04-08T19:05:04.019Z'],
  ['27th 3 1976', '[D1o] [M#1] [Y0001]', '1976-03-27T00:00:00.000Z'],
  ['27 iii MMXVIII', '[D1] [Mi] [YI]', '2018-03-27T00:00:00.000Z'],
  ['ae C mmxviii', '[Da] [MA] [Yi]', '2018-03-31T00:00:00.000Z'],
  ['27th April 2008', '[D1o] [MNn] [Y0001]', '2008-04-27T00:00:00.000Z'],
  ['2 Feb 2012', '[D1] [MNn,3-3] [Y0001]', '2012-02-02T00:00:00.000Z'],
  ['Mon, Twelfth November 2018', '[FNn,*-3], [DWwo] [MNn] [Y]', '2018-11-12T00:00:00.000Z'],
  ['one thousand, nine hundred and eighty-four', '[Yw]', '1984-01-01T00:00:00.000Z'],
  ['Twentieth of August, two thousand and seventeen', '[DW] of [MNn], [Yw]', '2017-08-20T00:00:00.000Z'],
  ['4/4/2018 12:06 am', '[D1]/[M1]/[Y0001] [h]:[m] [P]', '2018-04-04T00:06:00.000Z'],
  ['4/4/2018 12:06 pm', '[D1]/[M1]/[Y0001] [h]:[m] [P]', '2018-04-04T12:06:00.000Z'],
  ['4/4/2018 11:30 PM', '[D1]/[M1]/[Y0001] [h]:[m] [P]', '2018-04-04T23:30:00.000Z'],
  ['2018-094', '[Y0001]-[d001]', '2018-04-04T00:00:00.000Z'],
  ['three hundred and sixty-fifth day of 2018', '[dwo] day of [Y]', '2018-12-31T00:00:00.000Z'],
  ['2020-09-09 08:00 +02:00', '[Y]-[M01]-[D01] [H01]:[m01] [Z]', '2020-09-09T06:00:00.000Z'],
  ['2020-09-09 08:00 GMT-05:00', '[Y]-[M01]-[D01] [H01]:[m01] [z]', '2020-09-09T13:00:00.000Z'],
  ['2020-09-09 08:00 GMT-5', '[Y]-[M01]-[D01] [H01]:[m01] [z01]', '2020-09-09T13:00:00.000Z'],
  ['2020-09-09 08:00 +0530', '[Y]-[M01]-[D01] [H01]:[m01] [Z0001]', '2020-09-09T02:30:00.000Z'],
  ['2018 (a+b)*', '[Y] (a+b)*', '2018-01-01T00:00:00.000Z'],
  ['2018 february', '[Y] [MNn]', '2018-01-01T00:00:00.000Z'],
  ['irrelevant', '[Y]-[M]-[D]', undefined],
  ['Hello', 'Hello', undefined],
  ['', '', undefined],
]

const errors: readonly (readonly [text: string, picture: string, code: string])[] = [
  ['2018-05-22', '[Y]-[M]-[q]', 'D3132'],
  ['2018-05-22', '[YN]-[M]-[D]', 'D3133'],
  ['2018-22', '[Y]-[D]', 'D3136'],
  ['5-22 23:59', '[M]-[D] [m]:[s]', 'D3136'],
  ['2018-3-2-5', '[X]-[x]-[w]-[F1]', 'D3136'],
  ['2018-32-5', '[X]-[W]-[F1]', 'D3136'],
  ['2018-094 10', '[Y0001]-[d001] [H]', 'D3136'],
  ['2018 5', '[Y] [D', 'D3135'],
  ['5', '[Dα]', 'D3130'],
]

const own: readonly BuiltinCase[] = [
  { name: 'does not ask the clock for the day', args: ['13:45', '[H]:[m]'], fails: 'D3136', differs: 'takes today' },
  {
    name: 'does not ask the clock for the year',
    args: ['5-22', '[M]-[D]'],
    fails: 'D3136',
    differs: 'takes this year',
  },
  { name: 'refuses words that are no number', args: ['and', '[Yw]'], fails: 'D3136', differs: 'gives NaN' },
]

describe('$toMillis', () => {
  describeBuiltin('toMillis', [
    { name: 'gives nothing for nothing', args: [undefined] },
    ...iso.map(([text, expected]) => ({ name: `reads ${text}`, args: [text], gives: Date.parse(expected) })),
    ...notIso.map((text) => ({ name: `refuses "${text}"`, args: [text], fails: 'D3110' })),
    ...noTime.map((text) => ({ name: `refuses ${text}`, args: [text], fails: 'D3110', differs: 'gives NaN' })),
    ...pictures.map(([text, picture, expected]) => ({
      name: `reads "${text}" by ${picture}`,
      args: [text, picture],
      gives: expected === undefined ? undefined : Date.parse(expected),
    })),
    ...errors.map(([text, picture, fails]) => ({
      name: `refuses "${text}" by ${picture}`,
      args: [text, picture],
      fails,
    })),
    ...own,
  ])

  it('reads a time without zone as UTC, wherever it runs', () => {
    expect(ours('toMillis', ['2017-07-30T15:28:34'])).to.deep.equal({ value: Date.UTC(2017, 6, 30, 15, 28, 34) })
  })

  it('reads what $fromMillis writes', () => {
    const picture = '[FNn], [D1o] [MNn] [Yw] at [H]:[m]:[s].[f001] [Z]'
    for (const millis of [0, 1521801216617, -86_400_001, 4102444799999]) {
      const { value: text } = ours('fromMillis', [millis, picture, '+0230']) as { value: string }
      expect(ours('toMillis', [text, picture]), text).to.deep.equal({ value: millis })
    }
  })

  it('ends at a limit for a hostile picture or text', () => {
    expect(ours('toMillis', ['x', '[Yw]'.repeat(10_000)]))
      .to.have.property('code')
      .that.matches(/^E100[12]$/)
    expect(ours('toMillis', ['x', '[M,900-900]'.repeat(10_000)]))
      .to.have.property('code')
      .that.matches(/^E100[12]$/)
    expect(ours('toMillis', ['x'.repeat(10_000), '[MNn]'.repeat(200)], smallBudget({ steps: 50_000 })))
      .to.have.property('code')
      .that.matches(/^E100[12]$/)
  })
})
