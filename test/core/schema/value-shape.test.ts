import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import { mergeTypeOf } from '../../../src/core/schema/merge-type.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { shapeOf } from '../../../src/core/schema/value-shape.ts'
import { long } from '../../support/long-tests.ts'

const ITEM: Schema = { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } }
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    list: { type: 'array', items: { type: 'string' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: ITEM,
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
}
const TYPE = mergeTypeOf(SCHEMA)

const alike: readonly (readonly [name: string, left: JsonValue, right: JsonValue])[] = [
  ['other texts and numbers', { text: 'a', count: 1 }, { text: 'b', count: 2 }],
  ['other items of an atomic list', { list: ['a'] }, { list: ['b'] }],
  ['other values of the same labels', { labels: { a: '1' } }, { labels: { a: '2' } }],
  ['the same items of a set', { set: ['a', 'b'] }, { set: ['a', 'b'] }],
  ['items with the same keys', { map: [{ name: 'a', port: 1 }] }, { map: [{ name: 'a', port: 1 }] }],
  ['nothing', {}, {}],
]

const different: readonly (readonly [name: string, left: JsonValue, right: JsonValue])[] = [
  ['a field more', { text: 'a' }, { text: 'a', count: 1 }],
  ['the same fields in another order', { text: 'a', count: 1 }, { count: 1, text: 'a' }],
  ['other types', { text: 'a' }, { text: 1 }],
  ['an empty text', { text: 'a' }, { text: '' }],
  ['zero', { count: 1 }, { count: 0 }],
  ['null', { text: 'a' }, { text: null }],
  ['true and false', { text: true }, { text: false }],
  ['a list and an object', { text: [] }, { text: {} }],
  ['an item more of an atomic list', { list: ['a'] }, { list: ['a', 'b'] }],
  ['other items of a set', { set: ['a'] }, { set: ['b'] }],
  ['items with other keys', { map: [{ name: 'a', port: 1 }] }, { map: [{ name: 'a', port: 2 }] }],
  ['a key that is a text', { map: [{ name: 'a', port: 1 }] }, { map: [{ name: 'a', port: '1' }] }],
  ['a key that is missing', { map: [{ name: 'a', port: 1 }] }, { map: [{ name: 'a' }] }],
  ['other names of labels', { labels: { a: '1' } }, { labels: { b: '1' } }],
  ['fields on another level', { text: { count: 1 } }, { text: {}, count: 1 }],
  ['items on another level', { list: [['a'], 'b'] }, { list: [['a', 'b']] }],
]

const without: readonly (readonly [name: string, value: JsonValue])[] = [
  ['a set of objects', { set: [{ name: 'a' }] }],
  ['a key that is an object', { map: [{ name: { a: 1 } }] }],
  ['thousands of fields', Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`f${n}`, n]))],
]

describe('shapes of values', () => {
  for (const [name, left, right] of alike) {
    it(`are the same with ${name}`, () =>
      expect(shapeOf(left, TYPE)).to.equal(shapeOf(right, TYPE)).and.be.an('object'))
  }
  for (const [name, left, right] of different) {
    it(`differ by ${name}`, () => expect(shapeOf(left, TYPE)).to.not.equal(shapeOf(right, TYPE)))
  }
  for (const [name, value] of without) {
    it(`are not remembered of ${name}`, () => expect(shapeOf(value, TYPE)).to.equal(undefined))
  }

  it('are those of one type', () => {
    expect(shapeOf({}, TYPE)).to.not.equal(shapeOf({}, mergeTypeOf({ type: 'object' })))
  })

  long.it('are forgotten when there are very many', () => {
    const first = shapeOf({ text: 'a' }, TYPE)
    for (let n = 0; n < 60; n++) {
      const many = Array.from({ length: 900 }, (_, index) => [`f${n}-${index}`, 1])
      shapeOf({ labels: Object.fromEntries(many) }, TYPE)
    }
    expect(shapeOf({ text: 'a' }, TYPE)).to.not.equal(first)
    expect(shapeOf({ text: 'b' }, TYPE)).to.equal(shapeOf({ text: 'a' }, TYPE))
  })
})
