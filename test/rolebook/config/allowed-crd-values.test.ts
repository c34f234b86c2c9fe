import { expect } from 'chai'
import type { JsonPath } from '../../../src/core/base/json.ts'
import { allowedCrdValues } from '../../../src/rolebook/config/allowed-crd-values.ts'

const SPEC: JsonPath = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec']

const cases: readonly { readonly name: string; readonly path: JsonPath; readonly allowed: readonly string[] }[] = [
  { name: 'the scope', path: ['spec', 'scope'], allowed: ['Cluster', 'Namespaced'] },
  { name: 'the strategy of a conversion', path: ['spec', 'conversion', 'strategy'], allowed: ['None', 'Webhook'] },
  {
    name: 'the type of a schema',
    path: [...SPEC, 'type'],
    allowed: ['array', 'boolean', 'integer', 'number', 'object', 'string'],
  },
  { name: 'a field whose refusal lists no values', path: ['spec', 'group'], allowed: [] },
  { name: 'a field outside of the spec', path: ['metadata', 'name'], allowed: [] },
  { name: 'a field that holds a list', path: ['spec', 'versions'], allowed: [] },
  { name: 'the rules of a schema', path: [...SPEC, 'x-kubernetes-validations'], allowed: [] },
]

describe('the values of a CRD that a server allows', () => {
  for (const { name, path, allowed } of cases) {
    it(`at ${name}: ${allowed.join(', ') || 'none are known'}`, () => {
      expect(allowedCrdValues(path).toSorted()).to.deep.equal(allowed)
    })
  }
})
