import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { CelRuntimeError } from '../../../../src/sandbox/apiserver/cel/cel-error.ts'
import {
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  objectType,
  TIMESTAMP,
  UINT,
} from '../../../../src/sandbox/apiserver/cel/cel-type.ts'
import { compileCel } from '../../../../src/sandbox/apiserver/cel/compile-cel.ts'
import { fromCel } from '../../../../src/sandbox/apiserver/cel/json.ts'
import { overloadsOf, parseType } from '../../../../src/sandbox/apiserver/cel/signature.ts'

describe('JSON in expressions', () => {
  const results: Readonly<Record<string, JsonValue>> = {
    '1.5': 1.5,
    '3u': 3,
    'optional.of(2)': 2,
    "b'abc'": 'YWJj',
    "{'a': [1, 2]}": { a: [1, 2] },
  }
  for (const [source, expected] of Object.entries(results)) {
    it(`${source} becomes ${JSON.stringify(expected)}`, () => {
      expect(fromCel(compileCel(source, { variables: {} }).evaluate({}).value)).to.deep.equal(expected)
    })
  }

  for (const source of ["duration('1s')", 'optional.none()', 'int']) {
    it(`${source} has no form in JSON`, () => {
      const { value } = compileCel(source, { variables: {} }).evaluate({})
      expect(() => fromCel(value)).to.throw(CelRuntimeError, 'type conversion error')
    })
  }

  const read: readonly (readonly [name: string, type: CelType, json: JsonValue, source: string])[] = [
    ['a whole number as uint', UINT, 3, 'self == 3u && type(self) == uint'],
    ['a whole number as double', DOUBLE, 3, 'type(self) == double'],
    ['a fraction where an integer is expected', INT, 1.5, 'type(dyn(self)) == double'],
    ['a time', TIMESTAMP, '2024-01-02T03:04:05Z', 'self.getMinutes() == 4'],
    ['a date', TIMESTAMP, '2024-01-02', 'self.getDate() == 2'],
    ['a time that is none', TIMESTAMP, 'x', 'self.getFullYear() == 1970'],
    ['a duration', DURATION, '90s', 'self.getMinutes() == 1'],
    ['a duration that is none', DURATION, 'x', "self == duration('0s')"],
    ['a key that is no text', DYN, { a: 1 }, '!(1 in self) && !(1.5 in self)'],
    ['null instead of a duration', objectType('S', new Map([['d', DURATION]])), { d: null }, '!has(self.d)'],
    ['a null item', listOf(DYN), [null], 'self[0] == null'],
  ]
  for (const [name, type, json, source] of read) {
    it(`${name}: ${source}`, () => {
      const program = compileCel(source, { variables: { self: type } })
      expect(program.evaluate({ self: { json } }).value).to.equal(true)
    })
  }

  it('a list with keys takes items of another one by key', () => {
    const item = objectType(
      'Item',
      new Map([
        ['k', INT],
        ['v', INT],
      ]),
    )
    const type = listOf(item, { listType: 'map', listMapKeys: ['k'] })
    const program = compileCel('(self + self.filter(x, x.k == 1)).size() == 2 && self + other == other', {
      variables: { self: type, other: type },
    })
    const [one, two] = [
      { k: 1, v: 1 },
      { k: 2, v: 2 },
    ]
    const bindings = {
      self: { json: [one, two] },
      other: {
        json: [
          { k: 2, v: 3 },
          { k: 1, v: 4 },
        ],
      },
    }
    expect(program.evaluate(bindings).value).to.equal(true)
  })

  it('a variable that is not given is an error', () => {
    const program = compileCel('self == 1', { variables: { self: INT } })
    expect(() => program.evaluate({})).to.throw(CelRuntimeError, 'no such attribute(s): self')
  })

  it('what is no signature is refused', () => {
    expect(() => overloadsOf({ 'size string': () => 1n })).to.throw('cannot read the signature size string')
    expect(parseType('map<string, list<A>>').params).to.have.length(2)
  })
})
