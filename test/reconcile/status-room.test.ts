import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.ts'
import { missingStatusFields } from '../../src/reconcile/status-room.ts'

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
