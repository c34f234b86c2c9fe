import { expect } from 'chai'
import {
  canonicalJson,
  deepFreeze,
  getPath,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../../../src/core/base/json.ts'

describe('jsonEquals', () => {
  const cases: readonly { name: string; left: JsonValue | undefined; right: JsonValue | undefined; equal: boolean }[] =
    [
      { name: 'the same number', left: 1, right: 1, equal: true },
      { name: 'number and text', left: 1, right: '1', equal: false },
      { name: 'null and nothing', left: null, right: undefined, equal: false },
      { name: 'keys in another order', left: { a: 1, b: 2 }, right: { b: 2, a: 1 }, equal: true },
      { name: 'a key that is undefined and one that is absent', left: { a: undefined }, right: {}, equal: true },
      { name: 'an absent key and one that is null', left: {}, right: { a: null }, equal: false },
      { name: 'more keys on the right', left: { a: 1 }, right: { a: 1, b: 1 }, equal: false },
      { name: 'a key that is undefined on the left alone', left: { a: undefined }, right: { a: 1 }, equal: false },
      { name: 'a name that objects inherit', left: { toString: 1 }, right: {}, equal: false },
      { name: 'lists of the same items', left: [1, { a: [] }], right: [1, { a: [] }], equal: true },
      { name: 'lists in another order', left: [1, 2], right: [2, 1], equal: false },
      { name: 'an empty list and an empty object', left: [], right: {}, equal: false },
    ]
  for (const { name, left, right, equal } of cases) {
    it(`${name}: ${equal ? 'equal' : 'different'}`, () => expect(jsonEquals(left, right)).to.equal(equal))
  }
})

describe('getPath', () => {
  const value = JSON.parse('{"a": [{"b": 1}], "__proto__": {"c": 2}}') as JsonValue
  const cases: readonly { name: string; path: JsonPath; expected: JsonValue | undefined }[] = [
    { name: 'finds a value in a list', path: ['a', 0, 'b'], expected: 1 },
    { name: 'finds nothing beyond the end', path: ['a', 1, 'b'], expected: undefined },
    { name: 'finds nothing inherited', path: ['constructor'], expected: undefined },
    { name: 'finds own keys with odd names', path: ['__proto__', 'c'], expected: 2 },
    { name: 'finds nothing below a scalar', path: ['a', 0, 'b', 'length'], expected: undefined },
  ]
  for (const { name, path, expected } of cases) {
    it(name, () => expect(getPath(value, path)).to.equal(expected))
  }
})

describe('canonicalJson', () => {
  const cases: readonly { name: string; value: JsonValue | undefined; text: string }[] = [
    {
      name: 'keys of an object in a list',
      value: { b: [{ d: 1, c: 2 }], a: null },
      text: '{"a":null,"b":[{"c":2,"d":1}]}',
    },
    { name: 'keys below sorted ones', value: { a: { c: 1, b: 2 }, d: 3 }, text: '{"a":{"b":2,"c":1},"d":3}' },
    {
      name: 'numbers as keys, which come first',
      value: { b: 1, 10: 2, 9: 3, a: 4 },
      text: '{"9":3,"10":2,"a":4,"b":1}',
    },
    {
      name: 'an own `__proto__`',
      value: JSON.parse('{"b":1,"__proto__":{"c":1,"a":2}}'),
      text: '{"__proto__":{"a":2,"c":1},"b":1}',
    },
    { name: 'what is undefined', value: { b: undefined, a: 1 }, text: '{"a":1}' },
    { name: 'nothing', value: undefined, text: 'null' },
  ]
  for (const { name, value, text } of cases) {
    it(`prints in order: ${name}`, () => expect(canonicalJson(value)).to.equal(text))
  }

  it('leaves its value as it is', () => {
    const value = { b: [{ d: 1, c: 2 }], a: 1 }
    canonicalJson(value)
    expect(JSON.stringify(value)).to.equal('{"b":[{"d":1,"c":2}],"a":1}')
  })
})

describe('printPath', () => {
  it('prints a path as people read it', () =>
    expect(printPath(['spec', 'ports', 0, 'a.b', 'name'])).to.equal("spec.ports[0]['a.b'].name"))
})

describe('deepFreeze', () => {
  it('freezes lists in objects', () => {
    const value = deepFreeze({ list: [{ a: 1 }] })
    expect(() => Object.assign(value.list[0] ?? {}, { a: 2 })).to.throw(TypeError)
  })
})
