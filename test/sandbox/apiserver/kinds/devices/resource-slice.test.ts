import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import { pipelineOf, refusalsOf } from '../pipeline-of.ts'

const counters = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, { value: '1' }]))
const nodes = (...keys: readonly string[]): JsonObject => ({
  nodeSelectorTerms: keys.map((key) => ({ matchExpressions: [{ key, operator: 'Exists' }] })),
})
const ONE_OF =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'

interface Case {
  readonly name: string
  readonly spec: JsonObject
  readonly expected: readonly string[]
}

const EACH = { nodeName: undefined, perDeviceNodeSelection: true }
const device = (more: JsonObject): JsonObject => ({ devices: [{ name: 'd', ...more }] })

const cases: readonly Case[] = [
  {
    name: '32 counters of a set',
    spec: { sharedCounters: [{ name: 's', counters: counters(32) }] },
    expected: [],
  },
  {
    name: '33 counters of a set',
    spec: { sharedCounters: [{ name: 's', counters: counters(33) }] },
    expected: ['spec.sharedCounters[0].counters: Too many: 33: must have at most 32 items'],
  },
  { name: 'a device on nodes of a label', spec: { ...EACH, ...device({ nodeSelector: nodes('a') }) }, expected: [] },
  {
    name: 'a device on nodes of no label',
    spec: { ...EACH, ...device({ nodeSelector: nodes() }) },
    expected: [
      'spec.devices[0].nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
  },
  {
    name: 'a device on a node and on all nodes',
    spec: { ...EACH, ...device({ nodeName: 'n', allNodes: true }) },
    expected: [`spec.devices[0]: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${ONE_OF}`],
  },
  {
    name: 'a device on no node',
    spec: { ...EACH, ...device({ nodeName: '' }) },
    expected: [
      'spec.devices[0].nodeName: Invalid value: "": must not be empty',
      `spec.devices[0]: Required value: ${ONE_OF}`,
    ],
  },
  {
    name: 'a condition of failure twice',
    spec: device({ bindingConditions: ['a'], bindingFailureConditions: ['b', 'b'] }),
    expected: ['spec.devices[0].bindingFailureConditions[1]: Duplicate value: "b"'],
  },
  {
    name: 'an attribute of a name with two slashes, as the real server takes it',
    spec: device({ attributes: { 'A_b/c/d': { int: 1 } } }),
    expected: [],
  },
  {
    name: 'an attribute of null',
    spec: device({ attributes: { a: null } }),
    expected: ['spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified'],
  },
]

describe('A ResourceSlice', () => {
  const pipeline = pipelineOf('ResourceSlice', { namespaced: false })
  const common = {
    driver: 'a.example.com',
    nodeName: 'node',
    pool: { name: 'pool', resourceSliceCount: 1, generation: 1 },
  }
  for (const { name, spec, expected } of cases) {
    it(name, () => {
      const slice = {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceSlice',
        metadata: { name: 'a' },
        spec: { ...common, ...spec },
      }
      expect(refusalsOf(pipeline, { create: slice })).to.deep.equal(expected)
    })
  }
})
