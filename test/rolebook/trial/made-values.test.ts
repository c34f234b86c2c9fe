import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { MadeValues } from '../../../src/rolebook/trial/made-values.ts'

const TEXT: Schema = { type: 'string' }
const COUNT: Schema = { type: 'integer' }
const EITHER: Schema = { 'x-kubernetes-int-or-string': true }
const ANY: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

interface Case {
  readonly name: string
  readonly schema: Schema
  readonly given?: JsonValue
  readonly full: JsonValue | undefined
  readonly least: JsonValue | undefined
}

const CASES: readonly Case[] = [
  { name: 'a number or text', schema: EITHER, full: 1, least: 1 },
  { name: 'any value', schema: ANY, full: undefined, least: undefined },
  {
    name: 'an object with fields of any value',
    schema: { type: 'object', required: ['any'], properties: { any: ANY, name: TEXT } },
    full: { name: 'made' },
    least: {},
  },
  {
    name: 'a field with a default',
    schema: { type: 'object', required: ['size'], properties: { size: { ...COUNT, default: 3 } } },
    full: { size: 3 },
    least: {},
  },
  {
    name: 'a field that is required and not described',
    schema: { type: 'object', required: ['other'], properties: { size: COUNT } },
    full: { size: 1 },
    least: {},
  },
  {
    name: 'a list of any values',
    schema: { type: 'array', items: ANY, minItems: 2 },
    full: [],
    least: [null, null],
  },
  {
    name: 'a list that is given with items that nothing is known of',
    schema: { type: 'array', items: ANY },
    given: [null, 'x'],
    full: [null, 'x'],
    least: [],
  },
  {
    name: 'a list that is given without a schema of its items',
    schema: ANY,
    given: ['x'],
    full: ['x'],
    least: ['x'],
  },
  {
    name: 'a list of which another value is given',
    schema: { type: 'array', items: TEXT, minItems: 1 },
    given: 'x',
    full: 'x',
    least: ['made'],
  },
]

describe('the values that are made of a schema', () => {
  for (const { name, schema, given, full, least } of CASES) {
    it(`are what is allowed for ${name}`, () => {
      expect(new MadeValues().full(schema, given), 'with all fields').to.deep.equal(full)
      expect(new MadeValues().least(schema, given), 'with those that are required').to.deep.equal(least)
    })
  }

  it('end where a schema is nested very deeply', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null && 'in' in value ? 1 + depthOf(value.in) : 0
    let schema: Schema = { type: 'object' }
    for (let level = 0; level < 20; level++) schema = { type: 'object', required: ['in'], properties: { in: schema } }
    expect(depthOf(new MadeValues().full(schema, undefined))).to.equal(12)
    expect(depthOf(new MadeValues().least(schema, undefined))).to.equal(12)
  })
})
