import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../../src/core/base/json.ts'
import { pipelineOf } from '../pipeline-of.ts'

interface Case {
  readonly name: string
  readonly given: JsonObject
  readonly update: JsonValue
  readonly expected: JsonObject
}

const ports = [{ port: 80 }]
const ONE = { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] }
const BOTH = { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] }

/** As kube-apiserver 1.36.4 answers (`initIPFamilyFields` in its registry of Services). */
const cases: readonly Case[] = [
  {
    name: 'stays single when a headless Service loses its spec, and its selector with it',
    given: { clusterIP: 'None', selector: { a: 'b' }, ports },
    update: null,
    expected: ONE,
  },
  {
    name: 'stays single when a headless Service loses its selector',
    given: { clusterIP: 'None', selector: { a: 'b' }, ports },
    update: { selector: null },
    expected: ONE,
  },
  {
    name: 'stays dual when a headless Service without a selector is written without one',
    given: { clusterIP: 'None', ports },
    update: { ipFamilyPolicy: null, ipFamilies: null },
    expected: BOTH,
  },
  {
    name: 'is dual of a Service that becomes headless from a name outside of the cluster',
    given: { type: 'ExternalName', externalName: 'a.b' },
    update: { type: 'ClusterIP', externalName: null, clusterIP: 'None', ports },
    expected: BOTH,
  },
]

describe('The policy of address families of a Service that is updated', () => {
  const pipeline = pipelineOf('Service')
  for (const { name, given, update, expected } of cases) {
    it(name, () => {
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: given }
      const answer = pipeline.answer({ name, given: service, update: { spec: update } })
      expect(answer).to.have.property('object')
      const { spec } = (answer as unknown as { readonly object: { readonly spec: JsonObject } }).object
      expect(spec).to.deep.include(expected)
    })
  }
})
