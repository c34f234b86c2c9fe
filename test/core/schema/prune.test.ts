import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import { applyDefaults, dropForbiddenNulls } from '../../../src/core/schema/default.ts'
import { prune } from '../../../src/core/schema/prune.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { builtinSchema, objectMetaSchema } from './schemas.ts'

const TEXT: Schema = { type: 'string' }

describe('pruning', () => {
  const nested: Schema = {
    type: 'object',
    properties: { a: TEXT, list: { type: 'array', items: { type: 'object', properties: { b: TEXT } } } },
  }
  const cases: readonly {
    name: string
    schema: Schema
    given: JsonValue
    expected: JsonValue
    unknown: readonly string[]
  }[] = [
    {
      name: 'drops what the schema does not know, at any depth',
      schema: nested,
      given: { a: 'x', z: 1, list: [{ b: '1' }, { c: 2 }] },
      expected: { a: 'x', list: [{ b: '1' }, {}] },
      unknown: ['list[1].c', 'z'],
    },
    {
      name: 'keeps unknown fields where the schema says so, and prunes beneath known ones',
      schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: nested } },
      given: { free: { x: [1, { y: 2 }] }, known: { a: 'x', z: 1 } },
      expected: { free: { x: [1, { y: 2 }] }, known: { a: 'x' } },
      unknown: ['known.z'],
    },
    {
      name: 'keeps lists in what keeps unknown fields',
      schema: { 'x-kubernetes-preserve-unknown-fields': true, type: 'array' },
      given: { a: [1] },
      expected: { a: [1] },
      unknown: [],
    },
    {
      name: 'keeps unknown fields of the items of a list that keeps them, however deep it is',
      schema: {
        type: 'array',
        'x-kubernetes-preserve-unknown-fields': true,
        items: { type: 'array', items: nested },
      },
      given: [[{ a: 'x', z: 1, list: [{ c: 2 }] }]],
      expected: [[{ a: 'x', z: 1, list: [{}] }]],
      unknown: ['[0][0].list[0].c'],
    },
    {
      name: 'goes into additional properties',
      schema: { type: 'object', additionalProperties: nested },
      given: { k: { a: 'x', z: 1 } },
      expected: { k: { a: 'x' } },
      unknown: ['k.z'],
    },
    {
      name: 'drops everything of an object that declares nothing',
      schema: { type: 'object', properties: { o: { type: 'object' }, l: { type: 'array' } } },
      given: { o: { a: 1 }, l: [{ a: 1 }, [{ b: 2 }], 3] },
      expected: { o: {}, l: [{}, [{}], 3] },
      unknown: ['l[0].a', 'l[1][0].b', 'o.a'],
    },
    {
      name: 'knows the metadata of a custom resource',
      schema: { type: 'object', properties: { metadata: objectMetaSchema() } },
      given: { metadata: { name: 'x', labels: { any: 'y' }, bogus: 1, managedFields: [{ fieldsV1: { 'f:a': {} } }] } },
      expected: { metadata: { name: 'x', labels: { any: 'y' }, managedFields: [{ fieldsV1: { 'f:a': {} } }] } },
      unknown: ['metadata.bogus'],
    },
    {
      name: 'knows the fields of built-in kinds',
      schema: builtinSchema('apps/v1', 'Deployment'),
      given: { spec: { bogus: 1, template: { spec: { containers: [{ name: 'a', imagge: 'x' }] } } } },
      expected: { spec: { template: { spec: { containers: [{ name: 'a' }] } } } },
      unknown: ['spec.bogus', 'spec.template.spec.containers[0].imagge'],
    },
  ]
  for (const { name, schema, given, expected, unknown } of cases) {
    it(name, () => expect(prune(given, schema)).to.deep.equal({ value: expected, unknown }))
  }

  it('gives back the very object when there is nothing to drop', () => {
    const object = { a: 'x', list: [{ b: '1' }] }
    expect(prune(object, nested).value).to.equal(object)
  })
})

describe('defaults', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'string', default: 'da' },
      nullable: { type: 'string', nullable: true, default: 'dn' },
      o: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 1 } } },
      p: { type: 'object', properties: { b: { type: 'integer', default: 2 } } },
      map: {
        type: 'object',
        additionalProperties: { type: 'object', default: { c: 9 }, properties: { c: { type: 'integer', default: 3 } } },
      },
      texts: { type: 'array', items: TEXT },
      words: { type: 'object', additionalProperties: TEXT },
      list: {
        type: 'array',
        items: { type: 'object', default: {}, properties: { d: { type: 'integer', default: 4 } } },
      },
      metadata: objectMetaSchema(),
    },
  }
  const cases: readonly { name: string; given: JsonObject; expected: JsonObject }[] = [
    {
      name: 'fill what is missing, also beneath defaults',
      given: {},
      expected: { a: 'da', nullable: 'dn', o: { b: 1 } },
    },
    {
      name: 'replace nulls that the schema does not allow',
      given: { a: null, nullable: null, o: { b: null } },
      expected: { a: 'da', nullable: null, o: { b: 1 } },
    },
    {
      name: 'reach maps and lists',
      given: { a: 'x', nullable: 'y', o: {}, p: {}, map: { k: {}, n: null }, list: [{}, { d: 5 }, null] },
      expected: {
        a: 'x',
        nullable: 'y',
        o: { b: 1 },
        p: { b: 2 },
        map: { k: { c: 3 }, n: { c: 9 } },
        list: [{ d: 4 }, { d: 5 }, { d: 4 }],
      },
    },
  ]
  it('leave nulls where there is no default', () => {
    const object = { a: 'x', nullable: 'y', o: { b: 1 }, texts: [null], words: { n: null, u: undefined } }
    expect(applyDefaults<JsonValue>(object, schema)).to.equal(object)
  })

  for (const { name, given, expected } of cases) {
    it(name, () => expect(applyDefaults(given as JsonValue, schema)).to.deep.equal(expected))
  }

  it('give back the very object when nothing is missing, whatever its metadata are', () => {
    const object = { a: 'x', nullable: null, o: { b: 1 }, list: [{ d: 1 }], metadata: { name: null } }
    expect(applyDefaults(object, schema)).to.equal(object)
  })
})

describe('nulls of custom resources', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: TEXT,
      nullable: { type: 'string', nullable: true },
      defaulted: { type: 'string', default: 'x' },
      list: { type: 'array', items: { type: 'object', properties: { a: TEXT } } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  }
  it('go when the schema neither allows nor replaces them', () => {
    const given = { a: null, nullable: null, defaulted: null, list: [{ a: null }, null], free: { x: null } }
    expect(dropForbiddenNulls(given, schema)).to.deep.equal({
      nullable: null,
      defaulted: null,
      list: [{}, null],
      free: { x: null },
    })
  })

  it('leave the very object alone when there are none', () => {
    const object = { a: 'x', list: [{ a: 'y' }] }
    expect(dropForbiddenNulls(object, schema)).to.equal(object)
  })
})
