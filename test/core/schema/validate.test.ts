import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import { printFieldError } from '../../../src/core/schema/field-error.ts'
import { hasFormat, isKnownFormat } from '../../../src/core/schema/formats.ts'
import { compileGoPattern, matchesPattern } from '../../../src/core/schema/pattern.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { validate } from '../../../src/core/schema/validate.ts'
import { long } from '../../support/long-tests.ts'
import { objectMetaSchema } from './schemas.ts'

describe('validation', () => {
  const cases: readonly { name: string; schema: Schema; value: JsonValue; expected: readonly string[] }[] = [
    {
      name: 'unique items',
      schema: { type: 'array', uniqueItems: true, items: { type: 'integer' } },
      value: [1, 2, 1],
      expected: [`<nil>: Invalid value: "":  in body shouldn't contain duplicates`],
    },
    {
      name: 'too many items',
      schema: { type: 'array', maxItems: 2, items: { type: 'integer' } },
      value: [1, 2, 3],
      expected: ['<nil>: Too many: 3: must have at most 2 items'],
    },
    {
      name: 'a list that may have fewer items than none',
      schema: { type: 'array', maxItems: -1, items: { type: 'integer' } },
      value: [1],
      expected: ['<nil>: Too many: 1: has too many items'],
    },
    {
      name: 'a text that may be shorter than none',
      schema: { type: 'string', maxLength: -1 },
      value: 'a',
      expected: ['<nil>: Too long: value is too long'],
    },
    {
      name: 'forbidden properties',
      schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      value: { b: 1 },
      expected: ['<nil>: Invalid value: "b": .b in body is a forbidden property'],
    },
    {
      name: 'a pattern that is none',
      schema: { type: 'string', pattern: '(' },
      value: 'x',
      expected: [
        `<nil>: Invalid value: "x":  in body should match '(, but pattern is invalid: error parsing regexp: missing closing ): \`(\`'`,
      ],
    },
    {
      name: 'patterns with backslashes',
      schema: { type: 'string', pattern: '^a\\\\z$' },
      value: 'a\\z',
      expected: [],
    },
    {
      name: 'patterns in the syntax of Go',
      schema: { type: 'string', pattern: '\\A(?P<x>[[:alpha:]]+)\\z' },
      value: 'abc',
      expected: [],
    },
    {
      name: 'patterns with classes of Unicode',
      schema: { type: 'string', pattern: '^\\p{L}+$' },
      value: 'é1',
      expected: [`<nil>: Invalid value: "é1":  in body should match '^\\p{L}+$'`],
    },
    {
      name: 'a factor and bounds that are no integers',
      schema: { type: 'number', multipleOf: 0.1, minimum: 0.5, maximum: 2 },
      value: 0.25,
      expected: [
        '<nil>: Invalid value: 0.25:  in body should be a multiple of 0.1',
        '<nil>: Invalid value: 0.25:  in body should be greater than or equal to 0.5',
      ],
    },
    {
      name: 'items of a list with keys that are no objects',
      schema: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { 'x-kubernetes-preserve-unknown-fields': true },
      },
      value: [{ k: 1 }, 3],
      expected: ['[1]: Invalid value: 3: must be an object for an array of list-type map'],
    },
  ]
  for (const { name, schema, value, expected } of cases) {
    it(name, () => expect(validate(value, schema).map(printFieldError)).to.deep.equal(expected))
  }

  long.it('goes on after any number of patterns', () => {
    for (let index = 0; index <= 2000; index++) matchesPattern('x', `^${index}$`)
    expect(matchesPattern('2', '^2$')).to.equal(true)
  })

  it('leaves metadata to others', () => {
    expect(
      validate({ metadata: { name: 1 } }, { type: 'object', properties: { metadata: objectMetaSchema() } }),
    ).to.deep.equal([])
  })
})

describe('formats of texts', () => {
  const cases: readonly { format: string; good: readonly string[]; bad: readonly string[] }[] = [
    { format: 'bsonobjectid', good: ['507f1f77bcf86cd799439011'], bad: ['507f'] },
    { format: 'uri', good: ['/a', 'http://x/y?z', 'mailto:a'], bad: ['a', '', 'http:', '/a b', '/%zz'] },
    { format: 'email', good: ['a@b.c', 'A <a@b.c>'], bad: ['a', '@b', 'a@'] },
    { format: 'hostname', good: ['a.bc', 'x'], bad: ['-a', 'a..b', 'a'.repeat(64)] },
    { format: 'ipv4', good: ['1.2.3.4'], bad: ['1.2.3', '01.2.3.4', '256.1.1.1', '::1'] },
    {
      format: 'ipv6',
      good: ['::', '::1', '1:2:3:4:5:6:7:8', '::1.2.3.4'],
      bad: ['1', ':::', '1:2', '1:2:3:4:5:6:7:8:9', '::1.2.3'],
    },
    { format: 'cidr', good: ['1.2.3.4/8', '::/0'], bad: ['1.2.3.4', '1.2.3.4/33', '1.2.3.4/8/9', '::/129'] },
    { format: 'mac', good: ['00:11:22:33:44:55', '0011.2233.4455'], bad: ['00:11', '00:11-22:33:44:55'] },
    { format: 'uuid', good: ['123e4567-e89b-12d3-a456-426614174000'], bad: ['123'] },
    { format: 'uuid3', good: ['123e4567-e89b-32d3-a456-426614174000'], bad: ['123e4567-e89b-42d3-a456-426614174000'] },
    { format: 'uuid4', good: ['123e4567-e89b-42d3-a456-426614174000'], bad: ['123e4567-e89b-32d3-a456-426614174000'] },
    { format: 'uuid5', good: ['123e4567-e89b-52d3-a456-426614174000'], bad: ['123e4567-e89b-32d3-a456-426614174000'] },
    { format: 'isbn', good: ['0321751043', '978-0321751041'], bad: ['0321751044'] },
    { format: 'isbn10', good: ['0321751043', '007462542X'], bad: ['978-0321751041'] },
    { format: 'isbn13', good: ['978-0321751041'], bad: ['978-0321751042', '0321751043'] },
    { format: 'creditcard', good: ['4111 1111 1111 1111'], bad: ['4111 1111 1111 1112'] },
    { format: 'ssn', good: ['111-22-3333'], bad: ['1-2'] },
    { format: 'hexcolor', good: ['#fff', '00ff00'], bad: ['#ff'] },
    { format: 'rgbcolor', good: ['rgb(1, 2,255)'], bad: ['rgb(1,2,256)'] },
    { format: 'byte', good: ['YWJj', 'YQ=='], bad: ['YQ', '*'] },
    { format: 'password', good: [''], bad: [] },
    { format: 'date', good: ['2024-02-29'], bad: ['2023-02-29', '2024-13-01', '24-1-1'] },
    {
      format: 'date-time',
      good: ['2024-01-02T03:04:05Z', '2024-01-02t03:04:05.6+01:00'],
      bad: ['2024-01-02', '2024-01-02T24:00:00Z', '2024-01-02T'],
    },
    { format: 'duration', good: ['1h2m', '-1.5s', '0', '5 days', '3 wk'], bad: ['', 'h', '1 x'] },
    { format: 'k8s-short-name', good: ['a-b'], bad: ['A', 'a.b', 'a'.repeat(64)] },
    { format: 'k8s-long-name', good: ['a.b-c'], bad: ['a..b', '-a'] },
    { format: 'frobnicate', good: ['anything'], bad: [] },
  ]
  for (const { format, good, bad } of cases) {
    it(format, () => {
      expect(
        good.filter((text) => !hasFormat(text, format)),
        'good',
      ).to.deep.equal([])
      expect(
        bad.filter((text) => hasFormat(text, format)),
        'bad',
      ).to.deep.equal([])
    })
  }

  it('are judged in linear time', () => {
    // With backtracking this takes a quarter of a minute or more.
    expect(hasFormat(`${'1000s'.repeat(15)}x`, 'duration')).to.equal(true)
    expect(hasFormat('0'.repeat(80_000), 'duration')).to.equal(false)
  }).timeout(5_000)

  it('are known by name', () => {
    expect(isKnownFormat('date-time')).to.equal(true)
    expect(isKnownFormat('toString')).to.equal(false)
  })
})

describe('patterns for other parts of the server', () => {
  it('are refused in the words of Go', () => {
    expect(compileGoPattern('(?=a)')).to.have.property(
      'message',
      'error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    )
  })
})
