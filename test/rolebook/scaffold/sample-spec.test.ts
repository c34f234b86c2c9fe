import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { sampleSpec } from '../../../src/rolebook/scaffold/sample-spec.ts'

const TEXT: Schema = { type: 'string' }
const NUMBER: Schema = { type: 'integer' }

/** A field of a spec, by its name, and its value in the sample. */
const CASES: readonly {
  readonly name: string
  readonly field: string
  readonly schema: Schema
  readonly value: JsonValue | undefined
}[] = [
  {
    name: 'the first value of an enumeration',
    field: 'mode',
    schema: { ...TEXT, enum: ['fast', 'slow'] },
    value: 'fast',
  },
  { name: 'true', field: 'debug', schema: { type: 'boolean' }, value: true },
  { name: 'a port', field: 'adminPort', schema: NUMBER, value: 8080 },
  { name: 'a number within its bounds', field: 'replicas', schema: { ...NUMBER, minimum: 3, maximum: 5 }, value: 3 },
  { name: 'a text that fits its name', field: 'hostname', schema: TEXT, value: 'host.example.com' },
  { name: 'its own name as a text', field: 'Log-Level', schema: TEXT, value: 'loglevel' },
  { name: 'a text for a name without letters', field: '_', schema: TEXT, value: 'example' },
  { name: 'a text of the least length', field: 'key', schema: { ...TEXT, minLength: 5 }, value: 'keyxx' },
  { name: 'a list of one item', field: 'images', schema: { type: 'array', items: TEXT }, value: ['nginx:1.29'] },
  { name: 'a list of one empty object', field: 'rules', schema: { type: 'array', items: {} }, value: [{}] },
  { name: 'a map with one entry', field: 'hosts', schema: { additionalProperties: NUMBER }, value: { example: 1 } },
  { name: 'a map with one empty entry', field: 'rules', schema: { additionalProperties: {} }, value: { example: {} } },
  { name: 'an empty object', field: 'options', schema: { type: 'object' }, value: {} },
  { name: 'nothing where nothing is known', field: 'options', schema: {}, value: undefined },
  { name: 'nothing where there is a default', field: 'replicas', schema: { ...NUMBER, default: 2 }, value: undefined },
  {
    name: 'nothing for a list with a default',
    field: 'names',
    schema: { type: 'array', items: TEXT, default: [] },
    value: undefined,
  },
  { name: 'nothing for a list of what is not known', field: 'names', schema: { type: 'array' }, value: undefined },
  {
    name: 'nothing for a map with a default',
    field: 'names',
    schema: { additionalProperties: TEXT, default: {} },
    value: undefined,
  },
  {
    name: 'nothing for an open object with a default',
    field: 'options',
    schema: { type: 'object', default: {} },
    value: undefined,
  },
  {
    name: 'the fields without a default of an object with one',
    field: 'options',
    schema: { type: 'object', default: {}, properties: { image: TEXT, count: { ...NUMBER, default: 1 } } },
    value: { image: 'nginx:1.29' },
  },
  {
    name: 'nothing for an object whose fields all have defaults',
    field: 'options',
    schema: { type: 'object', default: {}, properties: { count: { ...NUMBER, default: 1 } } },
    value: undefined,
  },
]

describe('the spec of a sample', () => {
  for (const { name, field, schema, value } of CASES) {
    it(`has ${name}`, () => {
      const spec = sampleSpec({ type: 'object', properties: { [field]: schema } })
      expect(spec).to.deep.equal(value === undefined ? {} : { [field]: value })
    })
  }

  it('is empty for a kind that takes anything', () => {
    expect(sampleSpec({})).to.deep.equal({})
  })
})
