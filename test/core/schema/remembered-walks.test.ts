import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import { applyDefaults, dropForbiddenNulls } from '../../../src/core/schema/default.ts'
import { prune } from '../../../src/core/schema/prune.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { validate } from '../../../src/core/schema/validate.ts'
import { long } from '../../support/long-tests.ts'

const PART: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 3 },
    mode: { type: 'string', default: 'auto' },
    note: { type: 'string', nullable: true },
    inner: { type: 'object', properties: { count: { type: 'integer', default: 1 } } },
  },
}
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    one: PART,
    // Another type than at the other places: what is fine there need not be here.
    other: {
      type: 'object',
      properties: { name: { type: 'integer' }, mode: {}, size: { type: 'integer', default: 1 } },
    },
    list: { type: 'array', items: PART },
    keyed: { type: 'array', items: PART, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    byName: { type: 'object', additionalProperties: PART },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

/** Parts that documents share: some without a finding, and some with one. */
const FINE: readonly JsonObject[] = [
  { name: 'a', mode: 'auto' },
  { name: 'b', mode: 'auto', inner: { count: 2 } },
  { name: 'c', mode: 'auto', note: null },
]
const OTHERS: readonly JsonObject[] = [
  { name: 'd' },
  { name: 'e', mode: null },
  { name: 'f', mode: 'auto', inner: {} },
  { name: 'long', mode: 'auto' },
  { name: 7, mode: 'auto' },
  { name: null, mode: 'auto' },
  { mode: 'auto' },
  { name: 'g', mode: 'auto', unknown: { deep: null } },
]

const part: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FINE) },
  { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
)
const document = fc.record(
  {
    one: part,
    other: part,
    list: fc.array(part, { maxLength: 3 }),
    keyed: fc.array(part, { maxLength: 3 }),
    byName: fc.dictionary(fc.constantFrom('x', 'y'), part, { noNullPrototype: true }),
    free: part,
    unknown: part,
  },
  { requiredKeys: [], noNullPrototype: true },
)

describe('A walk through a value that shares parts with the one before comes to what it would come to alone:', () => {
  const walks: readonly { name: string; walk: (value: JsonObject, schema: Schema) => unknown }[] = [
    { name: 'prune', walk: prune },
    { name: 'dropForbiddenNulls', walk: dropForbiddenNulls },
    { name: 'applyDefaults', walk: applyDefaults },
    { name: 'validate', walk: validate },
  ]
  for (const { name, walk } of walks) {
    long.it(name, () =>
      fc.assert(
        fc.property(fc.array(document, { minLength: 2, maxLength: 6 }), (documents) => {
          const schema = structuredClone(SCHEMA)
          for (const one of documents) expect(walk(one, schema)).to.deep.equal(walk(one, structuredClone(SCHEMA)))
        }),
        { numRuns: 500 },
      ),
    )
  }
})
