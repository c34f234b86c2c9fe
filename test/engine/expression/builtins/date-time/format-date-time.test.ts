import { expect } from 'chai'
import { long } from '../../../../support/long-tests.ts'
import { type BuiltinCase, describeBuiltin, ours, smallBudget, theirs } from '../builtin-cases.ts'

/** Friday, 23 March 2018, 10:33:36.617 UTC. */
const MARCH = 1521801216617

const pictures: readonly (readonly [picture: string, text: string, millis?: number, timezone?: string])[] = [
  ['Hello', 'Hello'],
  ['', ''],
  ['Year: <[Y0001]>', 'Year: <2018>'],
  ['[[Year]]: [[[Y0001]]]', '[Year]: [2018]'],
  ['[Y9,999,*]', '2,018'],
  ['[Y,2]', '18'],
  ['[Y##01,2-2]', '18'],
  ['[Y,2-2]', '18'],
  ['[YI,2-2]', 'XVIII'],
  ['[M,x-y]', '3'],
  ['[YI]', 'MMXVIII'],
  ['[Yw]', 'two thousand and eighteen'],
  ['[D#1]/[M#1]/[Y0001]', '23/3/2018'],
  ['[M01]/[D01]/[Y0001] at [H01]:[m01]:[s01]', '03/23/2018 at 10:33:36'],
  ['[Y]-[ M01]-[D 01]T[H01 ]:[ m   ]:[s].[f0  01]', '2018-03-23T10:33:36.617'],
  ['[D#1,2]/[M1,2]', '23/03'],
  ['[Da] [MA]', 'w C'],
  ['[D1o] [MNn]', '23rd March'],
  ['[Dwo] of [MN]', 'twenty-third of MARCH'],
  ['[DWw]', 'Twenty-Three'],
  ['[FNn,3-3], [MNn,3-3] [Mn]', 'Fri, Mar march'],
  ['[F] [F0] [F1]', 'friday 5 5'],
  ['[F0]', '7', 1522616700000],
  ['[E] [C]', 'ISO ISO'],
  ['[h]:[m]:[s] [P]', '10:33:36 am'],
  ['[h] [PN] [Pn]', '11 PM pm', 1204412700000],
  ['[h] [P]', '12 am', 1522540800000],
  ['[h] [P]', '12 pm', 1522584000000],
  ['[dwo] day', 'eighty-second day'],
  ['[d]', '366', 1483185600000],
  ['[Z]', '+00:00'],
  ['[Z01:01t]', 'Z'],
  ['[Z0101t]', '+0100', MARCH, '+0100'],
  ['[H]:[m][Z]', '5:33-05:00', MARCH, '-0500'],
  ['[Z0]', '-5', MARCH, '-0500'],
  ['[Z0]', '+5:30', MARCH, '+0530'],
  ['[Z00]', '+10', MARCH, '+1000'],
  ['[z]', 'GMT-05:00', MARCH, '-0500'],
  ['[z0001]', 'GMT+0530', MARCH, '+0530'],
  ['[H]:[m] [Z]', '4:03 -06:30', MARCH, '-0530'],
  ['[Y]', '-2', -62_200_000_000_000],
]

const errors: readonly (readonly [picture: string, code: string, timezone?: string])[] = [
  ['[Y', 'D3135'],
  ['[Y] [', 'D3135'],
  ['[]', 'D3132'],
  ['[q]', 'D3132'],
  ['[YN]', 'D3133'],
  ['[Hn]', 'D3133'],
  ['[Z010101t]', 'D3134'],
  ['[Zn]', 'D3134'],
  ['[D£]', 'D3130'],
  ['[D0٠]', 'D3131'],
]

const own: readonly BuiltinCase[] = [
  { name: 'refuses a time beyond all dates', args: [1e17], fails: 'E1101', differs: 'writes NaN' },
  { name: 'refuses an unreadable time zone', args: [0, undefined, 'CET'], fails: 'E1101', differs: 'writes NaN' },
  {
    name: 'refuses an unknown component, also with a presentation',
    args: [0, '[q1]'],
    fails: 'D3132',
    differs: 'writes "undefined"',
  },
  {
    name: 'takes no negative width',
    args: [MARCH, '[Y,2--3]'],
    gives: '18',
    differs: 'takes the year modulo a fraction',
  },
  { name: 'refuses names of fractions', args: [0, '[fn]'], fails: 'D3133', differs: 'has no code for it' },
]

describe('$fromMillis', () => {
  describeBuiltin('fromMillis', [
    { name: 'gives nothing for nothing', args: [undefined] },
    { name: 'writes ISO 8601', args: [MARCH], gives: '2018-03-23T10:33:36.617Z' },
    { name: 'writes ISO 8601 in a zone', args: [MARCH, undefined, '+0100'], gives: '2018-03-23T11:33:36.617+01:00' },
    { name: 'writes times before 1970', args: [-1], gives: '1969-12-31T23:59:59.999Z' },
    ...pictures.map(([picture, gives, millis = MARCH, timezone]) => ({
      name: `writes ${picture}${timezone ?? ''}: ${gives}`,
      args: [millis, picture, timezone],
      gives,
    })),
    ...errors.map(([picture, fails]) => ({ name: `refuses ${picture}`, args: [MARCH, picture], fails })),
    ...own,
  ])

  long.it('counts weeks, years of weeks and months of weeks as the library does, over 40 years', async () => {
    const day = 86_400_000
    const picture = '[X0001]-W[W01]-[F1] [w] [xNn] [d] [Y] [M]'
    for (let millis = Date.UTC(1999, 11, 20); millis < Date.UTC(2040, 0, 20); millis += 37 * day) {
      for (const moment of [millis, millis + 13 * 3_600_000, yearEnd(millis), yearEnd(millis) + day]) {
        expect(ours('fromMillis', [moment, picture]), String(moment)).to.deep.equal(
          await theirs('fromMillis', [moment, picture]),
        )
      }
    }
  })

  it('pays for what it writes', () => {
    const wide = smallBudget({ bytes: 10_000 })
    expect(ours('fromMillis', [0, '[M,100000]'], wide)).to.deep.equal({ code: 'E1002' })
    expect(ours('fromMillis', [0, '[M,1000000000]']))
      .to.have.property('code')
      .that.matches(/^E100[12]$/)
    expect(ours('fromMillis', [0, '[Y]'.repeat(1000)], smallBudget({ steps: 1000 }))).to.deep.equal({ code: 'E1001' })
  })
})

function yearEnd(millis: number): number {
  return Date.UTC(new Date(millis).getUTCFullYear(), 11, 31, 12)
}
