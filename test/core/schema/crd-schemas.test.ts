import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { checkCrdSchemas, crdSchemas } from '../../../src/core/schema/crd-schemas.ts'
import { printFieldError, printFieldErrorBody } from '../../../src/core/schema/field-error.ts'
import { isOpen, schemaAt } from '../../../src/core/schema/navigate.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { builtinSchema, objectMetaSchema } from './schemas.ts'

function crdOf(...schemas: readonly (Schema | undefined)[]): JsonObject {
  const versions = schemas.map((schema, index) => ({
    name: `v${index + 1}`,
    ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
  }))
  return { spec: { group: 'example.com', names: { kind: 'Thing' }, versions } } as unknown as JsonObject
}

describe('schemas of CRDs', () => {
  it('have their version in the path of an error only when they differ', () => {
    const [good, bad]: Schema[] = [{ type: 'object' }, { type: 'object', properties: { a: {} } }]
    const fields = (crd: JsonObject) => checkCrdSchemas(crd).map(({ field }) => field)
    expect(fields(crdOf(bad, bad))).to.deep.equal(['spec.validation.openAPIV3Schema.properties[a].type'])
    expect(fields(crdOf(good, bad))).to.deep.equal(['spec.versions[1].schema.openAPIV3Schema.properties[a].type'])
    expect(fields(crdOf(undefined))).to.deep.equal([])
    expect(fields({})).to.deep.equal([])
    expect(fields(crdOf(undefined, bad))).to.deep.equal(['spec.versions[1].schema.openAPIV3Schema.properties[a].type'])
    expect(fields({ spec: { versions: [null] } })).to.deep.equal([])
  })

  it('may have patterns of Go, but must have good ones', () => {
    const pattern = (text: string): Schema => ({ type: 'object', properties: { a: { type: 'string', pattern: text } } })
    expect(checkCrdSchemas(crdOf(pattern('^[[:alpha:]]+$')))).to.deep.equal([])
    expect(checkCrdSchemas(crdOf(pattern('['))).map(printFieldError)[0]).to.match(
      /^spec\.validation\.openAPIV3Schema\.properties\[a\]\.pattern: Invalid value: "\[": must be a valid regular expression/,
    )
  })

  const foreign: readonly { name: string; schema: object; expected: readonly string[] }[] = [
    { name: 'patterns of names', schema: { patternProperties: { '^a': {} } }, expected: ['patternProperties'] },
    { name: 'definitions', schema: { definitions: { a: { type: 'string' } } }, expected: ['definitions'] },
    { name: 'empty maps of both', schema: { patternProperties: {}, definitions: {} }, expected: [] },
    { name: 'dependencies, even none', schema: { dependencies: {} }, expected: ['dependencies'] },
  ]
  for (const { name, schema, expected } of foreign) {
    it(`are refused for keywords that no CRD may have: ${name}`, () => {
      const found = checkCrdSchemas(crdOf({ type: 'object', ...schema } as Schema))
      const at = 'spec.validation.openAPIV3Schema'
      expect(found.map(printFieldError)).to.deep.equal(
        expected.map((keyword) => `${at}.${keyword}: Forbidden: ${keyword} is not supported`),
      )
    })
  }

  it('are the same in two versions of which one has an empty map more, at any depth', () => {
    const inner: Schema = { type: 'object', properties: { a: {} } }
    const hollow = { ...inner, dependencies: { b: ['a'] }, definitions: {} } as Schema
    const full = { ...inner, dependencies: { b: ['a'] } } as Schema
    const fields = (crd: JsonObject) => checkCrdSchemas(crd).map(({ field }) => field)
    expect(fields(crdOf(hollow, full))).to.deep.equal(['spec.validation.openAPIV3Schema.dependencies'])
  })

  const roots: readonly { name: string; schema: object; problem: RegExp | undefined }[] = [
    { name: 'properties and a text', schema: { type: 'object', description: 'a', properties: {} }, problem: undefined },
    {
      name: 'a number of properties, even 0',
      schema: { type: 'object', minProperties: 0 },
      problem: /Example XPreserve/,
    },
    {
      name: 'choices, even none',
      schema: { type: 'object', oneOf: [] },
      problem: /^Invalid value: \{"ID":"",.*"OneOf":\[\]/,
    },
    {
      name: 'a reference, even an empty one',
      schema: { type: 'object', $ref: '' },
      problem: /"Ref":"".*fields are allowed/,
    },
    {
      name: 'what depends on what, and documents elsewhere',
      schema: {
        type: 'object',
        dependencies: { a: ['b'], c: { type: 'string' } },
        externalDocs: { url: 'https://example.com' },
      },
      problem:
        /"Dependencies":\{"a":\{"Schema":null,"Property":\["b"\]\},"c":\{"Schema":\{"ID":"",.*"XValidations":null\},"Property":null\}\},.*"ExternalDocs":\{"Description":"","URL":"https:\/\/example.com"\}/,
    },
    {
      name: 'an integer that JavaScript does not hold exactly, among choices',
      schema: { type: 'object', default: 9007199254740992, oneOf: [{}] },
      problem: /"Default":9007199254740992,/,
    },
    { name: 'another type', schema: { type: 'array' }, problem: /^Invalid value: "array": only "object" is allowed/ },
  ]
  for (const { name, schema, problem } of roots) {
    it(`say at the root, beside a status: ${name}`, () => {
      const version = { name: 'v1', schema: { openAPIV3Schema: schema } }
      const crd = (more: object) => ({ spec: { versions: [{ ...version, ...more }] } }) as JsonObject
      const [first] = checkCrdSchemas(crd({ subresources: { status: {} } }))
      if (problem) expect(first && printFieldErrorBody(first)).to.match(problem)
      else expect(first).to.equal(undefined)
      expect(checkCrdSchemas(crd({})).map(printFieldErrorBody).join()).not.to.match(/status subresource/)
    })
  }

  it('say which dialect they are written in, and are refused when nothing else is wrong', () => {
    const dialect = { type: 'object', $schema: 'a' } as Schema
    const message = `spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`
    expect(checkCrdSchemas(crdOf(dialect)).map(printFieldError)).to.deep.equal([message])
    const fields = checkCrdSchemas(crdOf({ ...dialect, nullable: true })).map(({ field }) => field)
    expect(fields).to.deep.equal(['spec.validation.openAPIV3Schema.nullable'])
  })

  it('are made of whatever is there', () => {
    expect(crdSchemas({}, objectMetaSchema()).size).to.equal(0)
    expect(crdSchemas({ spec: {} }, objectMetaSchema()).size).to.equal(0)
    const versions = [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object' } } }]
    expect([...crdSchemas({ spec: { versions } }, objectMetaSchema()).keys()]).to.deep.equal(['v1'])
  })

  it('get what every object has, also in embedded resources', () => {
    const embedded: Schema = { type: 'object', 'x-kubernetes-embedded-resource': true, required: ['spec'] }
    const properties = {
      spec: {
        type: 'object',
        properties: {
          list: { type: 'array', items: embedded },
          map: { type: 'object', additionalProperties: embedded },
        },
      },
    } as const
    const schema = crdSchemas(crdOf({ type: 'object', properties } as Schema, undefined), objectMetaSchema()).get('v1')
    expect(schema?.properties).to.have.all.keys('apiVersion', 'kind', 'metadata', 'spec')
    expect(schema?.['x-kubernetes-group-version-kind']).to.deep.equal([
      { group: 'example.com', version: 'v1', kind: 'Thing' },
    ])
    for (const path of [
      ['spec', 'list', 0],
      ['spec', 'map', 'any'],
    ]) {
      const inner = schemaAt(schema, path)
      expect(inner?.properties).to.have.all.keys('apiVersion', 'kind', 'metadata')
      expect(inner?.required).to.deep.equal(['spec', 'apiVersion', 'kind'])
    }
  })
})

describe('paths in schemas', () => {
  const deployment = builtinSchema('apps/v1', 'Deployment')

  it('lead nowhere when they are unknown', () => {
    expect(schemaAt(deployment, ['spec', 'nothing', 'more'])).to.equal(undefined)
    expect(schemaAt(undefined, [])).to.equal(undefined)
    expect(schemaAt(deployment, ['spec', 'replicas'])?.type).to.equal('integer')
  })

  it('may lead anywhere where a schema is open', () => {
    expect(isOpen({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })).to.equal(true)
    expect(isOpen({ type: 'object' })).to.equal(false)
    expect(isOpen({})).to.equal(true)
  })
})
