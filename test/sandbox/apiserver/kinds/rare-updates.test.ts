import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { FixtureCase } from './fixture.ts'
import { pipelineOf, refusalsOf } from './pipeline-of.ts'

interface Case extends Omit<FixtureCase, 'name' | 'given' | 'expected'> {
  readonly name: string
  readonly kind: string
  readonly namespaced?: boolean
  readonly given: JsonObject
  readonly expected: readonly string[]
}

const ranges = (...cidrs: readonly string[]): JsonObject => ({ spec: { cidrs } })
const node = (...topologyKeys: readonly string[]): JsonObject => ({
  spec: { drivers: [{ name: 'csi.example.com', nodeID: 'n', topologyKeys }] },
})
const CLAIM: JsonObject = {
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const volume = (nodeAffinity?: JsonObject): JsonObject => ({
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    hostPath: { path: '/x' },
    ...(nodeAffinity && { nodeAffinity }),
  },
})
const nodesWith = (key: string): JsonObject => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
})
const STATES =
  'supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"'

const cases: readonly Case[] = [
  {
    name: 'a range of addresses that another one is to replace',
    kind: 'ServiceCIDR',
    namespaced: false,
    given: ranges('10.0.0.0/24'),
    update: ranges('10.1.0.0/24'),
    expected: ['spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable'],
  },
  {
    name: 'a range of addresses that is to leave',
    kind: 'ServiceCIDR',
    namespaced: false,
    given: ranges('10.0.0.0/24', 'fd00::/120'),
    update: ranges('10.0.0.0/24'),
    expected: ['spec.cidrs: Invalid value: ["10.0.0.0/24"]: field is immutable'],
  },
  {
    name: 'nothing of a range of the other family that joins',
    kind: 'ServiceCIDR',
    namespaced: false,
    given: ranges('10.0.0.0/24'),
    update: ranges('10.0.0.0/24', 'fd00::/120'),
    expected: [],
  },
  {
    name: 'a key of a topology that is empty, and one that stands twice',
    kind: 'CSINode',
    namespaced: false,
    given: { spec: { drivers: [] } },
    update: node('a', 'a', ''),
    expected: [
      'spec.drivers[0]: Duplicate value: "a"',
      'spec.drivers[0]: Required value',
      ...[
        'name part must be non-empty',
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ].map((why) => `spec.drivers[0]: Invalid value: "": ${why}`),
    ],
  },
  {
    name: 'a state of a resize that is none',
    kind: 'PersistentVolumeClaim',
    given: CLAIM,
    update: { status: { allocatedResourceStatuses: { storage: 'Done' } } },
    subresource: 'status',
    expected: [`status.allocatedResourceStatuses: Unsupported value: "storage": ${STATES}`],
  },
  {
    name: 'resources of Kubernetes that no claim has',
    kind: 'PersistentVolumeClaim',
    given: CLAIM,
    update: { status: { allocatedResources: { cpu: '1', 'kubernetes.io/a': '1', 'example.com/a': '1' } } },
    subresource: 'status',
    expected: ['cpu', 'kubernetes.io/a'].map(
      (name) => `status.allocatedResources: Unsupported value: "${name}": supported values: "storage"`,
    ),
  },
  {
    name: 'nothing of a label of nodes that gets its new name',
    kind: 'PersistentVolume',
    namespaced: false,
    given: volume(nodesWith('failure-domain.beta.kubernetes.io/zone')),
    update: volume(nodesWith('topology.kubernetes.io/zone')),
    expected: [],
  },
]

/** As kube-apiserver 1.36.4 answers. */
describe('A server refuses in updates that few clients send', () => {
  for (const { name, kind, namespaced = true, given, expected, ...request } of cases) {
    it(name, () => {
      const object = { apiVersion: 'v1', kind, metadata: { name: 'a' }, ...given }
      expect(refusalsOf(pipelineOf(kind, { namespaced }), { given: object, ...request })).to.deep.equal(expected)
    })
  }

  it('nothing of a status that leaves out since when a volume has its phase, which stays', () => {
    const given = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'a' }, ...volume() }
    const time = '2026-01-01T00:00:00Z'
    const before = { status: { status: { phase: 'Available', lastPhaseTransitionTime: time } } }
    const update = { status: { message: 'm', lastPhaseTransitionTime: null } }
    const answer = pipelineOf('PersistentVolume', { namespaced: false }).answer({
      ...{ name: '', given, before, update },
      subresource: 'status',
    })
    expect(answer).to.have.nested.property('object.status.lastPhaseTransitionTime')
    expect(answer).to.have.nested.property('object.status.message', 'm')
  })
})
