import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { FieldSet } from '../../../../src/core/schema/field-set.ts'
import { mergeTypeOf } from '../../../../src/core/schema/merge-type.ts'
import type { Schema } from '../../../../src/core/schema/schema.ts'
import { compareValues } from '../../../../src/sandbox/apiserver/apply/compare-values.ts'
import { goTypeOf } from '../../../../src/sandbox/apiserver/apply/go-format.ts'
import { mergeValues } from '../../../../src/sandbox/apiserver/apply/merge-values.ts'
import { removeItems } from '../../../../src/sandbox/apiserver/apply/remove-items.ts'

const TYPE = mergeTypeOf({
  type: 'object',
  properties: {
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    map: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
})

describe('Items that a live list holds more than once', () => {
  const A = 'v:"a"'
  const cases: readonly {
    readonly name: string
    readonly left: JsonValue
    readonly right: JsonValue
    readonly removed?: JsonValue
    readonly modified?: JsonValue
    readonly added?: JsonValue
  }[] = [
    { name: 'stay as they are', left: ['a', 'a'], right: ['a', 'a'] },
    { name: 'become more', left: ['a', 'a'], right: ['a', 'a', 'a'], modified: { [A]: {} } },
    { name: 'become one', left: ['a', 'a'], right: ['a'], added: { [A]: {} }, removed: { [A]: {} } },
    { name: 'become none', left: ['a', 'a'], right: ['b'], added: { 'v:"b"': {} }, removed: { [A]: {} } },
    { name: 'come from one', left: ['a'], right: ['a', 'a'], added: { [A]: {} }, removed: { [A]: {} } },
    { name: 'come from none', left: [], right: ['a', 'a'], added: { [A]: {} } },
  ]
  for (const { name, left, right, removed, modified, added } of cases) {
    it(name, () => {
      const found = compareValues({ set: left }, { set: right }, TYPE)
      const expected = { removed, modified, added }
      for (const kind of ['removed', 'modified', 'added'] as const) {
        const items = expected[kind]
        expect(found[kind].toFieldsV1(), kind).to.deep.equal(items === undefined ? {} : { 'f:set': items })
      }
    })
  }

  it('are not merged with', () => {
    const live = {
      map: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    }
    expect(mergeValues(live, { map: [{ name: 'a' }] }, TYPE)).to.deep.equal({ map: [{ name: 'a' }] })
  })
})

describe('Fields that are removed', () => {
  const fields = (fieldsV1: JsonObject): FieldSet => FieldSet.fromFieldsV1(fieldsV1)
  const cases: readonly {
    readonly name: string
    readonly value: JsonValue
    readonly set: JsonObject
    readonly expected: JsonValue
  }[] = [
    {
      name: 'leave null where nothing remains',
      value: { set: ['a'] },
      set: { 'f:set': { 'v:"a"': {} } },
      expected: { set: null },
    },
    {
      name: 'leave the others',
      value: { set: ['a', 'b'] },
      set: { 'f:set': { 'v:"a"': {} } },
      expected: { set: ['b'] },
    },
    { name: 'leave null of the whole', value: { set: ['a'] }, set: { 'f:set': {} }, expected: null },
    {
      name: 'lie beneath items',
      value: { map: [{ name: 'a', value: '1' }] },
      set: { 'f:map': { 'k:{"name":"a"}': { 'f:value': {} } } },
      expected: { map: [{ name: 'a' }] },
    },
    { name: 'are none of a scalar', value: { map: 'x' }, set: { 'f:map': { 'f:y': {} } }, expected: { map: null } },
  ]
  for (const { name, value, set, expected } of cases) {
    it(name, () => expect(removeItems(value, fields(set), TYPE)).to.deep.equal(expected))
  }
})

describe('Go types', () => {
  const cases: readonly (readonly [value: JsonValue, type: string])[] = [
    [1, 'int64'],
    [1.5, 'float64'],
    ['x', 'string'],
    [true, 'bool'],
    [null, '<nil>'],
    [[], '[]interface {}'],
    [{}, 'map[string]interface {}'],
  ]
  for (const [value, type] of cases)
    it(`${JSON.stringify(value)} is a ${type}`, () => expect(goTypeOf(value)).to.equal(type))
})

describe('An item that two lists share', () => {
  it('is identified by the keys of each list', () => {
    const list = (key: string): Schema => ({
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': [key],
    })
    const schema: Schema = { type: 'object', properties: { byName: list('name'), byPort: list('port') } }
    const item = { name: 'web', port: 80 }
    const found = FieldSet.fromObject({ byName: [item], byPort: [item] }, schema).toFieldsV1()
    expect(Object.keys(found['f:byName'] as JsonObject)).to.deep.equal(['k:{"name":"web"}'])
    expect(Object.keys(found['f:byPort'] as JsonObject)).to.deep.equal(['k:{"port":80}'])
  })
})
