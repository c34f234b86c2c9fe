import { expect } from 'chai'
import { deepFreeze, type JsonValue } from '../../../src/core/base/json.ts'
import { Budget } from '../../../src/engine/expression/compile/budget.ts'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import { MAX_RESULT_BYTES, plainValue } from '../../../src/engine/expression/plain-value.ts'
import { markSequence, type Value } from '../../../src/engine/expression/value.ts'

const plainOf = (value: Value): JsonValue | undefined => plainValue(value, new Budget())

const kept: readonly { name: string; value: Value; plain: JsonValue | undefined }[] = [
  { name: 'nothing', value: undefined, plain: undefined },
  { name: 'null', value: null, plain: null },
  { name: 'a boolean', value: true, plain: true },
  { name: 'text', value: 'ü', plain: 'ü' },
  { name: 'half a character', value: '\ud800', plain: '\ud800' },
  { name: 'the largest safe integer', value: Number.MAX_SAFE_INTEGER, plain: Number.MAX_SAFE_INTEGER },
  { name: 'a fraction', value: 0.1, plain: 0.1 },
  { name: 'a small number', value: 1e-300, plain: 1e-300 },
  { name: 'an object with a missing field', value: { a: undefined, b: 1 }, plain: { b: 1 } },
  { name: 'a list with a missing item', value: [undefined, 1], plain: [1] },
  {
    name: 'names that look like those of the prototype',
    value: { toString: 1, length: 2, valueOf: 3 },
    plain: { toString: 1, length: 2, valueOf: 3 },
  },
]

const refused: readonly { name: string; value: Value; code: string }[] = [
  { name: 'NaN', value: Number.NaN, code: 'E1006' },
  { name: 'infinity', value: [Number.POSITIVE_INFINITY], code: 'E1006' },
  { name: 'an integer beyond 2^53', value: { a: 2 ** 53 }, code: 'E1007' },
  { name: 'a negative one', value: -(2 ** 53), code: 'E1007' },
  { name: 'a function', value: { f: { functionValue: true, arity: 0, call: () => 1 } }, code: 'E1005' },
  { name: 'the key __proto__', value: JSON.parse('{"a":[{"__proto__":1}]}'), code: 'E1008' },
  { name: 'the key constructor', value: { constructor: 1 } as unknown as Value, code: 'E1008' },
  { name: 'the key prototype', value: { prototype: {} }, code: 'E1008' },
  { name: 'the key __proto__ of an input', value: deepFreeze(JSON.parse('{"__proto__":1}')), code: 'E1008' },
  { name: 'more than a MiB of text', value: 'x'.repeat(MAX_RESULT_BYTES), code: 'E1004' },
  { name: 'more than a MiB of items', value: new Array(600_000).fill(1), code: 'E1004' },
  { name: 'too many levels', value: JSON.parse('['.repeat(300) + ']'.repeat(300)), code: 'E1004' },
]

describe('plainValue', () => {
  for (const { name, value, plain } of kept) {
    it(`keeps ${name}`, () => {
      expect(plainOf(value)).to.deep.equal(plain)
    })
  }

  for (const { name, value, code } of refused) {
    it(`refuses ${name}`, () => {
      expect(() => plainOf(value))
        .to.throw(ExpressionError)
        .with.property('code', code)
    })
  }

  it('gives objects their ordinary prototype', () => {
    const plain = plainOf({ a: Object.create(null) }) as { a: object }
    expect(Object.getPrototypeOf(plain.a)).to.equal(Object.prototype)
  })

  it('drops the marks of sequences', () => {
    const plain = plainOf(markSequence([1, 2])) as object
    expect(Reflect.ownKeys(plain)).to.deep.equal(['0', '1', 'length'])
  })

  it('knows no minus zero, which JSON does not either', () => {
    expect(Object.is(plainOf(-0), 0)).to.equal(true)
  })

  it('shares what is frozen and copies the rest, once for each place', () => {
    const frozen = deepFreeze({ a: [1] })
    const built = { b: 1 }
    const plain = plainOf([frozen, frozen, built, built]) as readonly unknown[]
    expect(plain[0]).to.equal(frozen)
    expect(plain[2]).to.deep.equal(built)
    expect(plain[2]).to.not.equal(built)
    expect(plain[2]).to.not.equal(plain[3])
  })

  const results: readonly { source: string; value: JsonValue | undefined }[] = [
    { source: 'a.b.c', value: [1, 2] },
    { source: 'a.one.c', value: 9 },
    { source: 'a.one.c[]', value: [9] },
    { source: '[a.one.c]', value: [9] },
    { source: 'a.arr', value: [1] },
    { source: 'a.b[c=1]', value: { c: 1 } },
    { source: 'a.b[c=1][]', value: [{ c: 1 }] },
    { source: 'a.b[c=5]', value: undefined },
    { source: 'a.b[c=5][]', value: undefined },
    { source: '[a.missing]', value: [] },
    { source: '{"x": a.missing, "y": a.n}', value: { y: null } },
    { source: '$map([1], function($v){ $v })', value: 1 },
    { source: '$filter([1], function(){ true })', value: 1 },
    { source: '$distinct([1, 1])', value: [1] },
    { source: '$keys({"a": 1})', value: 'a' },
    { source: '$sort([1])', value: [1] },
    { source: '$split("a", "-")', value: ['a'] },
    { source: '[1..1]', value: [1] },
    { source: '$append(a.missing, [1])', value: [1] },
  ]
  const input = deepFreeze({ a: { b: [{ c: 1 }, { c: 2 }], one: [{ c: 9 }], empty: [], n: null, arr: [1] } })
  for (const { source, value } of results) {
    it(`is what ${source} gives: ${JSON.stringify(value)}`, () => {
      const expression = compileExpression(source, { functions: new Map() })
      expect(expression.evaluate({ input, variable: () => undefined })).to.deep.equal(value)
    })
  }
})
