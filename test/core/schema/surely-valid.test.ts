import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { isSurelyValid } from '../../../src/core/schema/surely-valid.ts'
import { validate } from '../../../src/core/schema/validate.ts'
import { objectMetaSchema } from './schemas.ts'

interface Case {
  readonly name: string
  readonly schema: Schema
  readonly valid: readonly JsonValue[]
  /** What is refused, or takes a closer look. */
  readonly other: readonly JsonValue[]
}

const TEXT: Schema = { type: 'string' }
const NAMED: Schema = { type: 'object', required: ['name'], properties: { name: TEXT, port: { type: 'integer' } } }
const MAP_LIST = { type: 'array', 'x-kubernetes-list-type': 'map', items: NAMED } as const

describe('values that are surely valid', () => {
  const cases: readonly Case[] = [
    { name: 'texts', schema: TEXT, valid: ['', 'a'], other: [1, null, true, [], {}] },
    { name: 'whole numbers', schema: { type: 'integer' }, valid: [0, -1], other: [1.5, 2 ** 63, '1'] },
    { name: 'numbers', schema: { type: 'number' }, valid: [0, 1.5], other: ['1', null] },
    { name: 'booleans', schema: { type: 'boolean' }, valid: [true, false], other: ['true', 0] },
    { name: 'what may be null', schema: { ...TEXT, nullable: true }, valid: [null, 'a'], other: [1] },
    { name: 'an enum that may be null', schema: { enum: ['a'], nullable: true }, valid: ['a'], other: [null, 'b'] },
    { name: 'any type', schema: {}, valid: [null, 1, 'a', [1], { a: 1 }], other: [] },
    {
      name: 'lengths',
      schema: { ...TEXT, minLength: 2, maxLength: 3 },
      valid: ['ab', '😀😀😀'],
      other: ['😀', 'abcd'],
    },
    { name: 'patterns', schema: { ...TEXT, pattern: '^a' }, valid: ['ab'], other: ['b'] },
    { name: 'formats', schema: { ...TEXT, format: 'date' }, valid: ['2026-01-01'], other: ['today'] },
    { name: 'bounds', schema: { type: 'integer', minimum: 1, maximum: 3 }, valid: [1, 3], other: [0, 4] },
    { name: 'factors', schema: { type: 'integer', multipleOf: 2 }, valid: [4], other: [3] },
    { name: 'numeric formats', schema: { type: 'integer', format: 'int32' }, valid: [1], other: [2 ** 31] },
    { name: 'int or string', schema: { 'x-kubernetes-int-or-string': true }, valid: [1, '1'], other: [1.5, true] },
    { name: 'one of many', schema: { anyOf: [TEXT, { type: 'integer' }] }, valid: ['a', 1], other: [true] },
    { name: 'all of many', schema: { allOf: [TEXT, { maxLength: 1 }] }, valid: ['a'], other: ['ab'] },
    { name: 'exactly one of many', schema: { oneOf: [TEXT] }, valid: [], other: ['a'] },
    { name: 'not', schema: { not: TEXT }, valid: [], other: [1, 'a'] },
    {
      name: 'lists',
      schema: { type: 'array', items: TEXT, minItems: 1, maxItems: 2 },
      valid: [['a']],
      other: [[], [1], {}],
    },
    { name: 'long lists', schema: { type: 'array', maxItems: 1 }, valid: [[null]], other: [[1, 2]] },
    { name: 'unique items', schema: { type: 'array', uniqueItems: true }, valid: [], other: [[1]] },
    {
      name: 'sets',
      schema: { type: 'array', 'x-kubernetes-list-type': 'set' },
      valid: [['1', 1]],
      other: [['a', 'a'], [{}]],
    },
    {
      name: 'items by one key',
      schema: { ...MAP_LIST, 'x-kubernetes-list-map-keys': ['name'] },
      valid: [[], [{ name: 'a' }, { name: 'b' }]],
      other: [[{ name: 'a' }, { name: 'a' }], [null], [{}], ['a']],
    },
    {
      name: 'items by two keys',
      schema: { ...MAP_LIST, 'x-kubernetes-list-map-keys': ['name', 'port'] },
      valid: [[{ name: 'a', port: 1 }, { name: 'a', port: 2 }, { name: 'a' }]],
      other: [
        [
          { name: 'a', port: 1 },
          { name: 'a', port: 1 },
        ],
      ],
    },
    { name: 'required fields', schema: NAMED, valid: [{ name: 'a' }], other: [{}, { name: undefined }, { name: 1 }] },
    { name: 'inherited fields', schema: { type: 'object', required: ['toString'] }, valid: [], other: [{}] },
    {
      name: 'fewest fields',
      schema: { type: 'object', minProperties: 1 },
      valid: [{ a: 1 }],
      other: [{ a: undefined }],
    },
    { name: 'most fields', schema: { type: 'object', maxProperties: 1 }, valid: [{ a: 1 }], other: [{ a: 1, b: 1 }] },
    { name: 'maps', schema: { type: 'object', additionalProperties: TEXT }, valid: [{ a: 'a' }], other: [{ a: 1 }] },
    { name: 'free fields', schema: { type: 'object', additionalProperties: true }, valid: [{ a: 1 }], other: [] },
    { name: 'closed objects', schema: { type: 'object', additionalProperties: false }, valid: [{}], other: [{ a: 1 }] },
    {
      name: 'metadata, which others judge',
      schema: { type: 'object', properties: { metadata: objectMetaSchema() } },
      valid: [{ metadata: { name: 1 } }],
      other: [],
    },
    { name: 'built-in types', schema: objectMetaSchema(), valid: [], other: [{ name: 'a' }] },
  ]
  for (const { name, schema, valid, other } of cases) {
    it(`are recognised: ${name}`, () => {
      for (const value of valid) {
        expect(isSurelyValid(value, schema), JSON.stringify(value)).to.equal(true)
        expect(validate(value, schema)).to.deep.equal([])
      }
      for (const value of other) expect(isSurelyValid(value, schema), JSON.stringify(value)).to.equal(false)
    })
  }
})
