import { expect } from 'chai'
import { type BuiltinCase, describeBuiltin, ours } from './builtin-cases.ts'

const truth: readonly { name: string; value: unknown; is: boolean }[] = [
  { name: 'true', value: true, is: true },
  { name: 'false', value: false, is: false },
  { name: 'text', value: 'false', is: true },
  { name: 'empty text', value: '', is: false },
  { name: 'a number', value: -1, is: true },
  { name: 'zero', value: 0, is: false },
  { name: 'null', value: null, is: false },
  { name: 'an empty list', value: [], is: false },
  { name: 'a list of a false item', value: [0], is: false },
  { name: 'a list of a list of a true item', value: [[1]], is: true },
  { name: 'a list with a true item', value: [0, 1], is: true },
  { name: 'a list of false items', value: [0, null, ''], is: false },
  { name: 'an empty object', value: {}, is: false },
  { name: 'an object', value: { a: false }, is: true },
  { name: 'a function', value: () => true, is: false },
]

describe('functions on truth', () => {
  const cases = (negate: boolean): BuiltinCase[] => [
    { name: 'gives nothing for nothing', args: [undefined] },
    { name: 'refuses infinity', args: [Number.POSITIVE_INFINITY], fails: 'D1001' },
    ...truth.map(({ name, value, is }) => ({ name: `takes ${name}`, args: [value], gives: is !== negate })),
  ]
  describeBuiltin('boolean', cases(false))
  describeBuiltin('not', cases(true))

  it('ends at a limit in a list that is nested too deeply', () => {
    let list: unknown = [1]
    for (let level = 0; level < 1000; level++) list = [list]
    expect(ours('boolean', [list])).to.deep.equal({ code: 'E1003' })
  })
})
