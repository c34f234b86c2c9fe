import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { missingStatusFields, statusFitter } from '../../../../src/engine/reconcile/status/status-patch.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const ALL = ['conditions', 'observedGeneration']
const room = { type: 'object', properties: { conditions: { type: 'array' }, observedGeneration: { type: 'integer' } } }
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const cases: { name: string; schema: JsonObject; expected: string[] }[] = [
  { name: 'no status at all', schema: { properties: { spec: {} } }, expected: ALL },
  { name: 'a status with room', schema: { properties: { status: room } }, expected: [] },
  {
    name: 'room for one of them',
    schema: { properties: { status: { properties: { conditions: {} } } } },
    expected: ['observedGeneration'],
  },
  { name: 'an open status', schema: { properties: { status: open } }, expected: [] },
  { name: 'a map', schema: { properties: { status: { additionalProperties: {} } } }, expected: [] },
  { name: 'an open kind', schema: open, expected: [] },
  {
    name: 'a status elsewhere',
    schema: { properties: { status: { allOf: [{ $ref: '#/components/schemas/Status' }] } } },
    expected: [],
  },
  {
    name: 'a status nowhere',
    schema: { properties: { status: { $ref: '#/components/schemas/None' } } },
    expected: ALL,
  },
]

describe('missingStatusFields', () => {
  for (const { name, schema, expected } of cases) {
    it(name, () => {
      const widget = { ...schema, 'x-kubernetes-group-version-kind': [{ ...WIDGET }] }
      expect(missingStatusFields({ components: { schemas: { Status: room, Widget: widget } } }, WIDGET)).to.deep.equal(
        expected,
      )
    })
  }

  it('says nothing about a kind that the document does not have', () => {
    expect(missingStatusFields({ components: { schemas: { Other: {} } } }, WIDGET)).to.deep.equal([])
    expect(missingStatusFields({}, WIDGET)).to.deep.equal([])
  })
})

describe('statusFitter', () => {
  const schemas = (status: JsonObject): JsonObject => {
    const Widget = { properties: { status }, 'x-kubernetes-group-version-kind': [{ ...WIDGET }] }
    return { components: { schemas: { Status: room, Widget } } }
  }
  const fits: { name: string; schema: JsonObject; status: JsonObject; fitted: JsonObject; lost: string[] }[] = [
    {
      name: 'leaves out what no schema names, at any depth',
      schema: { properties: { list: { items: { properties: { a: { type: 'string' } } } } } },
      status: { list: [{ a: 1, b: 2 }], other: 1 },
      fitted: { list: [{ a: 1 }] },
      lost: ['status.list[].b', 'status.other'],
    },
    {
      name: 'keeps an embedded object as it is',
      schema: { properties: { object: { 'x-kubernetes-embedded-resource': true, properties: {} } } },
      status: { object: { kind: 'X', metadata: { name: 'a' } } },
      fitted: { object: { kind: 'X', metadata: { name: 'a' } } },
      lost: [],
    },
    {
      name: 'does not miss what is not there',
      schema: { properties: { a: {} } },
      status: { a: 1, b: undefined },
      fitted: { a: 1 },
      lost: [],
    },
  ]
  for (const { name, schema, status, fitted, lost } of fits) {
    it(name, () => expect(statusFitter(schemas(schema), WIDGET)?.(status)).to.deep.equal({ status: fitted, lost }))
  }

  it('knows nothing of a kind that the document does not have', () => {
    expect(statusFitter({ components: { schemas: { Odd: true } } }, WIDGET)).to.equal(undefined)
  })
})
