import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { publishedSchema } from '../../../../src/sandbox/apiserver/discovery/published-schema.ts'
import { toDefinition, toSwagger } from '../../../../src/sandbox/apiserver/discovery/swagger.ts'
import { swaggerProtobuf } from '../../../../src/sandbox/apiserver/discovery/swagger-protobuf.ts'
import { toSwaggerSchema } from '../../../../src/sandbox/apiserver/discovery/swagger-schema.ts'

describe('Definitions of OpenAPI v2', () => {
  it('keep parts that are true together', () => {
    const allOf = [{ type: 'object', nullable: true }, { $ref: '#/components/schemas/a.B' }]
    expect(toDefinition({ allOf })).to.deep.equal({ allOf: [{ type: 'object' }, { $ref: '#/definitions/a.B' }] })
  })

  it('come from documents of version 3, also empty ones', () => {
    expect(toSwagger([{}], { title: 'none' })).to.deep.include({ definitions: {}, paths: {} })
  })

  const encoded: Readonly<Record<string, { readonly schema: JsonObject; readonly hex: string }>> = {
    'any further property': { schema: { additionalProperties: true }, hex: 'aa01021001' },
    'no further property': { schema: { additionalProperties: false }, hex: 'aa01021000' },
    'a bound': { schema: { maximum: 1 }, hex: '39000000000000f03f' },
    'a length': { schema: { maxLength: 3 }, hex: '5803' },
    'parts that are true together': { schema: { allOf: [{ title: 'a' }] }, hex: 'c201031a0161' },
    'a word that version 2 does not have': { schema: { nullable: true }, hex: '' },
    'nothing where a part should be': { schema: { items: 3 }, hex: 'ba01020a00' },
  }
  for (const [name, { schema, hex }] of Object.entries(encoded)) {
    it(`in protobuf: ${name}`, () => {
      const document = { swagger: '2.0', info: { title: 'a', version: 'b' }, definitions: { x: schema } }
      expect(swaggerProtobuf(document).toString('hex')).to.match(new RegExp(`0a0178..${hex ? `..${hex}` : ''}`))
    })
  }
})

describe('Schemas of custom resources in OpenAPI v2', () => {
  it('require fields that they do not describe', () => {
    const schema = { type: 'object', required: ['a'] }
    expect(toSwaggerSchema(schema)).to.deep.equal(schema)
  })
})

describe('Published schemas of custom resources', () => {
  const either = [{ type: 'integer' }, { type: 'string' }]
  const fields: Readonly<Record<string, { readonly given: JsonObject; readonly shown: JsonObject }>> = {
    'say that a value may be a number or a text': { given: {}, shown: { anyOf: either } },
    'do not say it twice': { given: { allOf: [{ anyOf: either }] }, shown: { allOf: [{ anyOf: either }] } },
    'say it beside other parts': { given: { allOf: [{}] }, shown: { allOf: [{}], anyOf: either } },
  }
  for (const [name, { given, shown }] of Object.entries(fields)) {
    it(name, () => {
      const mark = { 'x-kubernetes-int-or-string': true }
      const { properties } = publishedSchema({ properties: { port: { ...mark, ...given } } })
      expect((properties as JsonObject).port).to.deep.equal({ ...mark, ...shown })
    })
  }

  it('require the type of whole objects within, and keep what else is required', () => {
    const inner = { type: 'object', 'x-kubernetes-embedded-resource': true, required: ['kind', 'spec'] }
    const { properties } = publishedSchema({ properties: { inner } })
    expect((properties as { inner: JsonObject }).inner.required).to.deep.equal(['spec', 'kind', 'apiVersion'])
  })
})
