import { expect } from 'chai'
import { isSequence, markSequence } from '../../../../src/engine/expression/value.ts'
import { long } from '../../../support/long-tests.ts'
import { describeBuiltin, ours, runBuiltin, smallBudget } from './builtin-cases.ts'

const missing = { name: 'gives nothing for nothing', args: [undefined] }
const shared = () => 1

describe('functions on lists', () => {
  describeBuiltin('count', [
    { name: 'counts', args: [[1, [2, 3]]], gives: 2 },
    { name: 'is 0 for nothing', args: [undefined], gives: 0 },
    { name: 'is 0 for an empty list', args: [[]], gives: 0 },
  ])
  describeBuiltin('append', [
    { name: 'joins lists', args: [[1, 2], [3]], gives: [1, 2, 3] },
    { name: 'takes single values', args: [1, 2], gives: [1, 2] },
    { name: 'takes null as a value', args: [null, 2], gives: [null, 2] },
    { name: 'gives the second when the first is nothing', args: [undefined, 'a'], gives: 'a' },
    { name: 'gives the first when the second is nothing', args: [[1], undefined], gives: [1] },
    { name: 'gives nothing for twice nothing', args: [undefined, undefined] },
    { name: 'keeps lists inside', args: [[[1]], [[2]]], gives: [[1], [2]] },
  ])
  describeBuiltin('exists', [
    { name: 'is true for null', args: [null], gives: true },
    { name: 'is true for an empty list', args: [[]], gives: true },
    { name: 'is false for nothing', args: [undefined], gives: false },
  ])
  describeBuiltin('reverse', [
    missing,
    { name: 'turns round', args: [[1, 'a', [2, 3]]], gives: [[2, 3], 'a', 1] },
    { name: 'leaves a list of one', args: [[1]], gives: [1] },
    { name: 'leaves an empty list', args: [[]], gives: [] },
  ])
  describeBuiltin('zip', [
    {
      name: 'makes rows of columns',
      args: [
        [1, 2, 3],
        ['a', 'b', 'c'],
      ],
      gives: [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ],
    },
    { name: 'stops at the shortest', args: [[1, 2, 3], ['a']], gives: [[1, 'a']] },
    { name: 'takes one list', args: [[1, 2]], gives: [[1], [2]] },
    { name: 'has no rows when a list is missing', args: [[1, 2], undefined], gives: [] },
  ])
  describeBuiltin('distinct', [
    missing,
    { name: 'leaves what is not a list', args: ['a'], gives: 'a' },
    { name: 'leaves an empty list', args: [[]], gives: [] },
    { name: 'keeps the first of equals, in order', args: [[3, 1, 3, 2, 1]], gives: [3, 1, 2] },
    {
      name: 'treats values of different types as different',
      args: [['1', 1, true, 'true', null, 'null']],
      gives: ['1', 1, true, 'true', null, 'null'],
    },
    {
      name: 'compares objects whatever the order of keys',
      args: [
        [
          { a: 1, b: [2] },
          { b: [2], a: 1 },
        ],
      ],
      gives: [{ a: 1, b: [2] }],
    },
    {
      name: 'treats objects as different when one has a key with null',
      args: [[{ a: 1 }, { a: 1, b: null }]],
      gives: [{ a: 1 }, { a: 1, b: null }],
    },
    { name: 'treats a list and an object as different', args: [[[], {}]], gives: [[], {}] },
    {
      name: 'treats values of different types as different inside of lists',
      args: [[['1'], [1], [null], ['null']]],
      gives: [['1'], [1], [null], ['null']],
    },
    {
      name: 'is not fooled by text that looks like JSON',
      args: [[[1], '[1]', 'j[1]', 's']],
      gives: [[1], '[1]', 'j[1]', 's'],
    },
    {
      name: 'is not fooled by text that looks like a list',
      args: [[['a', 'b'], ['a","b']]],
      gives: [['a', 'b'], ['a","b']],
    },
    { name: 'takes zero and negative zero as equal', args: [[0, -0, [0], [-0]]], gives: [0, [0]] },
    {
      name: 'never takes NaN as equal',
      args: [[Number.NaN, Number.NaN, [Number.NaN], [Number.NaN]]],
      gives: [null, null, [null], [null]],
    },
  ])

  it('takes a function as equal to itself alone', () => {
    const one = runBuiltin('distinct', [[{ f: 1 }, { f: 1 }]])
    expect(one).to.have.length(1)
    const value = { functionValue: true, arity: 0, call: shared } as const
    const other = { functionValue: true, arity: 0, call: shared } as const
    expect(runBuiltin('distinct', [[value, other, value, { f: value }, { f: other }, { f: value }]])).to.have.length(4)
  })

  it('gives a sequence for a sequence and a list for a list', () => {
    expect(isSequence(runBuiltin('distinct', [markSequence([1, 1])]))).to.equal(true)
    expect(isSequence(runBuiltin('distinct', [[1, 1]]))).to.equal(false)
    expect(isSequence(runBuiltin('append', [markSequence([1, 1]), 2]))).to.equal(false)
  })

  long.it('finds the distinct among 20,000 objects without comparing every pair', () => {
    const objects = Array.from({ length: 20_000 }, (_, index) => ({ id: index, zone: index % 3 }))
    expect(ours('distinct', [[...objects, ...objects]])).to.deep.equal({ value: objects })
  })

  it('pays for lists before they are made', () => {
    const long = Array(1000).fill(1)
    for (const [name, args] of [
      ['append', [long, long]],
      ['reverse', [long]],
      ['zip', [long, long]],
      ['distinct', [long]],
    ] as const) {
      expect(ours(name, args, smallBudget({ bytes: 1000 })), name).to.deep.equal({ code: 'E1002' })
      expect(ours(name, args, smallBudget({ steps: 500 })), name).to.deep.equal({ code: 'E1001' })
    }
  })
})
