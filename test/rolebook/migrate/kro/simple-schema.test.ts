import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { fieldsSchema } from '../../../../src/rolebook/migrate/kro/simple-schema.ts'

const ANY = { 'x-kubernetes-preserve-unknown-fields': true }
const TYPES: JsonObject = {
  Port: 'integer | minimum=1',
  Server: { host: 'string | required=true', port: 'Port | default=80' },
  Node: { name: 'string', children: '[]Node' },
  Odd: '[]Odd',
}

/** The schema of one field, whether it is required, and what a person must decide. */
function read(type: JsonValue) {
  const decided: string[] = []
  const decide = (error: Error, name: string): void => void decided.push(`${name}: ${error.message}`)
  const { properties, required } = fieldsSchema({ field: type }, { types: TYPES, path: ['spec'], decide })
  return { schema: properties?.field, required, decided }
}

describe('a field of SimpleSchema', () => {
  for (const { type, schema } of [
    { type: 'float | default=0.5 maximum=1', schema: { type: 'number', default: 0.5, maximum: 1 } },
    { type: 'string | minLength=1 maxLength=63', schema: { type: 'string', minLength: 1, maxLength: 63 } },
    { type: 'integer | enum="1,2,3"', schema: { type: 'integer', enum: [1, 2, 3] } },
    { type: 'string | enum=a,b | default=a', schema: { type: 'string', enum: ['a', 'b'], default: 'a' } },
    {
      type: 'string | pattern="^a b$" description="say \\"x\\""',
      schema: { type: 'string', pattern: '^a b$', description: 'say "x"' },
    },
    {
      type: 'integer | validation="self > 1 && self < 9"',
      schema: {
        type: 'integer',
        'x-kubernetes-validations': [{ rule: 'self > 1 && self < 9', message: 'validation failed' }],
      },
    },
    {
      type: 'integer | immutable=true validation="self > 1"',
      schema: {
        type: 'integer',
        'x-kubernetes-validations': [
          { rule: 'self == oldSelf', message: 'field is immutable' },
          { rule: 'self > 1', message: 'validation failed' },
        ],
      },
    },
    { type: 'string | immutable=false', schema: { type: 'string' } },
    {
      type: '[]string | uniqueItems=true minItems=1',
      schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', minItems: 1 },
    },
    { type: '[]string | uniqueItems=false', schema: { type: 'array', items: { type: 'string' } } },
    {
      type: '[]object | listType=map listMapKey=name listMapKey=protocol',
      schema: {
        type: 'array',
        items: { type: 'object', ...ANY },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'protocol'],
      },
    },
    {
      type: '[]string | default=["a b", "c"] maxItems=2',
      schema: { type: 'array', items: { type: 'string' }, default: ['a b', 'c'], maxItems: 2 },
    },
    {
      type: 'object | default={"a": {"b": [1]}}',
      schema: { type: 'object', ...ANY, default: { a: { b: [1] } } },
    },
    { type: 'Port | default=80', schema: { type: 'integer', minimum: 1, default: 80 } },
    {
      type: 'map[string]Server',
      schema: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['host'],
          properties: { host: { type: 'string' }, port: { type: 'integer', minimum: 1, default: 80 } },
        },
      },
    },
  ]) {
    it(`becomes a schema: ${type}`, () => {
      expect(read(type)).to.deep.equal({ schema, required: undefined, decided: [] })
    })
  }

  it('is required where it says so, and only there', () => {
    expect(read('string | required=true').required).to.deep.equal(['field'])
    expect(read('string | required=false').required).to.equal(undefined)
  })

  for (const { name, type, message } of [
    { name: 'a number that is none', type: 'string | minLength=many', message: '`minLength` is a number, not `many`' },
    { name: 'no number', type: 'string | minLength=', message: '`minLength` is a number, not ``' },
    {
      name: 'a default of another type',
      type: 'integer | default=many',
      message: '`many` is not a default for this type',
    },
    { name: 'a word among the markers', type: 'string | a b', message: '`a b` is not a marker' },
    { name: 'a marker that kro does not have', type: 'string | shiny=true', message: 'there is no marker `shiny`' },
    { name: 'a value in place of a type', type: 3, message: 'a field is a type, or a map of fields' },
    { name: 'a type that is not there', type: 'text', message: 'there is no type `text`' },
    {
      name: 'lists in lists without an end',
      type: `${'[]'.repeat(17)}string`,
      message: 'the type `string` is nested too deeply',
    },
  ] as const) {
    it(`may hold anything, and is left to a person, when it has ${name}`, () => {
      expect(read(type)).to.deep.equal({ schema: ANY, required: undefined, decided: [`field: ${message}`] })
    })
  }

  it('may hold anything where its type contains itself', () => {
    expect(read('Odd')).to.deep.equal({
      schema: ANY,
      required: undefined,
      decided: ['field: the type `Odd` contains itself'],
    })
    expect(read('Node')).to.deep.equal({
      schema: { type: 'object', properties: { name: { type: 'string' }, children: ANY } },
      required: undefined,
      decided: ['children: the type `Node` contains itself'],
    })
  })

  it('may have a type twice that does not contain itself', () => {
    const { schema, decided } = read({ a: 'Server', b: '[]Server' })
    expect(decided).to.deep.equal([])
    expect(schema?.properties?.b?.items).to.deep.equal(schema?.properties?.a)
  })
})
