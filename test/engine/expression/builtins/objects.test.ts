import { expect } from 'chai'
import { isSequence, type Value } from '../../../../src/engine/expression/value.ts'
import { describeBuiltin, ours, runBuiltin, smallBudget } from './builtin-cases.ts'

const polluting = JSON.parse('{"__proto__": {"polluted": 1}, "a": 2}')

describe('functions on objects', () => {
  describeBuiltin('keys', [
    { name: 'gives nothing for nothing', args: [undefined] },
    { name: 'lists keys', args: [{ b: 1, a: null }], gives: ['b', 'a'] },
    { name: 'gives a single key bare', args: [{ a: 1 }], gives: 'a' },
    { name: 'gives nothing for an empty object', args: [{}] },
    {
      name: 'merges the keys of a list',
      args: [[{ b: 1, a: 1 }, { a: 2, 7: 1 }, 'x', [{ c: 1 }]]],
      gives: ['7', 'b', 'a', 'c'],
    },
    { name: 'gives nothing for text', args: ['a'] },
    { name: 'gives nothing for null', args: [null] },
    { name: 'gives nothing for a function', args: [() => 1] },
  ])
  describeBuiltin('lookup', [
    { name: 'gives nothing for nothing', args: [undefined, 'a'] },
    { name: 'finds a key', args: [{ a: [1] }, 'a'], gives: [1] },
    { name: 'finds no other', args: [{ a: 1 }, 'b'] },
    { name: 'finds null', args: [{ a: null }, 'a'], gives: null },
    {
      name: 'finds in each object of a list',
      args: [[{ a: 1 }, { b: 2 }, { a: [3, 4] }, [{ a: 5 }]], 'a'],
      gives: [1, 3, 4, 5],
    },
    { name: 'finds nothing inherited', args: [{ a: 1 }, 'constructor'] },
    { name: 'finds no properties of lists', args: [[1, 2], 'length'] },
    { name: 'finds nothing in text', args: ['a', 'length'] },
    { name: 'finds nothing in a function', args: [() => 1, 'length'] },
    { name: 'finds nothing without key', args: [{ a: 1 }, undefined] },
  ])
  describeBuiltin('spread', [
    { name: 'gives nothing for nothing', args: [undefined] },
    { name: 'makes an object of each key', args: [{ a: 1, b: 2 }], gives: [{ a: 1 }, { b: 2 }] },
    {
      name: 'spreads each object of a list',
      args: [[{ a: 1, b: 2 }, { c: 3 }]],
      gives: [{ a: 1 }, { b: 2 }, { c: 3 }],
    },
    { name: 'keeps a list of one key', args: [[{ a: 1 }]], gives: [{ a: 1 }] },
    { name: 'leaves text', args: ['a'], gives: 'a' },
    { name: 'leaves other items of a list', args: [[1, { a: 1 }, null]], gives: [1, { a: 1 }, null] },
    { name: 'gives nothing for an empty list', args: [[]] },
    { name: 'gives an empty list for a list of one', args: [[[]]], gives: [] },
  ])
  describeBuiltin('merge', [
    { name: 'gives nothing for nothing', args: [undefined] },
    {
      name: 'lets the last win',
      args: [
        [
          { a: 1, b: 2 },
          { b: 3, c: null },
        ],
      ],
      gives: { a: 1, b: 3, c: null },
    },
    { name: 'makes an empty list an empty object', args: [[]], gives: {} },
    {
      name: 'takes __proto__ as a key',
      args: [[polluting, { a: 3 }]],
      gives: JSON.parse('{"__proto__": {"polluted": 1}, "a": 3}'),
    },
  ])
  describeBuiltin('type', [
    { name: 'gives nothing for nothing', args: [undefined] },
    { name: 'knows null', args: [null], gives: 'null' },
    { name: 'knows numbers', args: [1], gives: 'number' },
    { name: 'knows text', args: [''], gives: 'string' },
    { name: 'knows booleans', args: [false], gives: 'boolean' },
    { name: 'knows lists', args: [[]], gives: 'array' },
    { name: 'knows objects', args: [{}], gives: 'object' },
    { name: 'knows functions', args: [() => 1], gives: 'function' },
    { name: 'refuses infinity', args: [Number.NEGATIVE_INFINITY], fails: 'D1001' },
  ])
  describeBuiltin('error', [
    { name: 'fails', args: ['no such zone'], fails: 'D3137' },
    { name: 'fails without words', args: [], fails: 'D3137' },
  ])
  describeBuiltin('assert', [
    { name: 'gives nothing when it holds', args: [true, 'x'] },
    { name: 'fails when it does not', args: [false, 'x'], fails: 'D3141' },
    { name: 'fails for nothing', args: [undefined], fails: 'D3141' },
  ])

  it("fails with the author's words", () => {
    expect(() => runBuiltin('error', ['no such zone'])).to.throw('no such zone')
    expect(() => runBuiltin('assert', [false, 'replicas must be odd'])).to.throw('replicas must be odd')
    expect(() => runBuiltin('assert', [false])).to.throw('$assert')
  })

  it('never touches a prototype', () => {
    runBuiltin('merge', [[polluting]])
    runBuiltin('spread', [polluting])
    runBuiltin('keys', [[polluting]])
    expect(({} as { polluted?: number }).polluted).to.equal(undefined)
  })

  it('marks what may collapse as a sequence', () => {
    for (const [name, args] of [
      ['keys', [{ a: 1 }]],
      ['spread', [{ a: 1 }]],
      ['lookup', [[{ a: 1 }], 'a']],
    ] as const) {
      expect(isSequence(runBuiltin(name, args)), name).to.equal(true)
    }
  })

  it('ends at a limit in what is nested too deeply or too large', () => {
    let list: Value = { a: 1 }
    for (let level = 0; level < 1000; level++) list = [list]
    for (const name of ['keys', 'spread']) expect(ours(name, [list]), name).to.deep.equal({ code: 'E1003' })
    expect(ours('lookup', [list, 'a'])).to.deep.equal({ code: 'E1003' })
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]))
    for (const name of ['keys', 'spread']) {
      expect(ours(name, [wide], smallBudget({ bytes: 1000 })), name).to.deep.equal({ code: 'E1002' })
    }
    expect(ours('merge', [[wide]], smallBudget({ bytes: 1000 }))).to.deep.equal({ code: 'E1002' })
  })
})
