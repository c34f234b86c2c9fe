import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const container = { name: 'web', image: 'nginx:1' }
const pod = (name: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container], ...spec },
})
const withClaim = pod('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })
const onPort = (name: string, port: JsonObject): KubeObject =>
  pod(name, { containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 80, ...port }] }] })
const affinity = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
})
const claim = (spec: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
})

/** In the words of kube-scheduler 1.36.4. */
const NO_PORTS =
  "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
const NO_NODE =
  "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."

interface Status {
  readonly phase: string
  readonly conditions?: readonly { readonly type: string; readonly message?: string }[]
}

describe('scheduling', () => {
  let server: WorkloadServer
  const state = (name = 'web'): string => {
    const { status } = server.api.get(KINDS.pod, { namespace: 'default', name }) as KubeObject
    const { phase, conditions = [] } = status as unknown as Status
    return phase === 'Running' ? phase : (conditions.find(({ type }) => type === 'PodScheduled')?.message ?? phase)
  }

  beforeEach(() => {
    server = new WorkloadServer()
  })
  afterEach(() => server.stop())

  it('waits for a claim to be there, and to be bound', async () => {
    server.put(withClaim)
    await server.rest()
    expect(state()).to.equal('0/1 nodes are available: persistentvolumeclaim "data" not found. not found')
    server.put(claim({ storageClassName: 'slow' }))
    await server.rest()
    expect(state()).to.equal('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found')
    const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'slow' } }
    server.api.create({ ...storageClass, provisioner: 'example.com/disks' }, 'kubectl')
    await server.rest()
    expect(state()).to.equal('Running')
  })

  it('does not wait for a claim that is about to go', async () => {
    server.put({ ...claim({}), metadata: { name: 'data', finalizers: ['example.com/held'] } })
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    server.put(withClaim)
    await server.rest()
    expect(state()).to.equal('0/1 nodes are available: persistentvolumeclaim "data" is being deleted. not found')
  })

  it('gives a port of the node to one pod', async () => {
    server.put(onPort('first', {}))
    await server.rest()
    server.put(onPort('web', {}))
    server.put(onPort('udp', { protocol: 'UDP' }))
    server.put(onPort('other', { hostPort: 81 }))
    await server.rest()
    expect([state('first'), state(), state('udp'), state('other')]).to.deep.equal([
      'Running',
      NO_PORTS,
      'Running',
      'Running',
    ])
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'first' })
    await server.rest()
    expect(state()).to.equal('Running')
  })

  it('gives a port at two addresses to two pods, and at all addresses to none beside them', async () => {
    server.put(onPort('first', { hostIP: '10.0.0.1' }))
    await server.rest()
    server.put(onPort('second', { hostIP: '10.0.0.2' }))
    server.put(onPort('web', {}))
    await server.rest()
    expect([state('second'), state()]).to.deep.equal(['Running', NO_PORTS])
  })

  const nodes: readonly { readonly name: string; readonly spec: JsonObject; readonly expected: string }[] = [
    {
      name: 'a label that the node has',
      spec: affinity({ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] }),
      expected: 'Running',
    },
    {
      name: 'a label that it lacks',
      spec: affinity({ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }),
      expected: NO_NODE,
    },
    {
      name: 'a label that it lacks, or one that it has',
      spec: affinity(
        { matchExpressions: [{ key: 'gpu', operator: 'Exists' }] },
        { matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] },
      ),
      expected: 'Running',
    },
    {
      name: 'both of two',
      spec: affinity({
        matchExpressions: [
          { key: 'gpu', operator: 'Exists' },
          { key: 'kubernetes.io/os', operator: 'Exists' },
        ],
      }),
      expected: NO_NODE,
    },
    {
      name: 'none of some values',
      spec: affinity({ matchExpressions: [{ key: 'gpu', operator: 'NotIn', values: ['a'] }] }),
      expected: 'Running',
    },
    {
      name: 'none of some values, of which the node has one',
      spec: affinity({ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'NotIn', values: ['linux'] }] }),
      expected: NO_NODE,
    },
    {
      name: 'no such label',
      spec: affinity({ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'DoesNotExist' }] }),
      expected: NO_NODE,
    },
    {
      name: 'more than a number that is not there',
      spec: affinity({ matchExpressions: [{ key: 'size', operator: 'Gt', values: ['1'] }] }),
      expected: NO_NODE,
    },
    {
      name: 'another name',
      spec: affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['other'] }] }),
      expected: NO_NODE,
    },
    { name: 'an empty term', spec: affinity({}), expected: NO_NODE },
  ]
  for (const { name, spec, expected } of nodes) {
    it(`puts a pod that wants ${name} where it may run`, async () => {
      server.put(pod('web', spec))
      await server.rest()
      expect(state()).to.equal(expected)
    })
  }

  it('counts no node for a DaemonSet whose affinity selects none', async () => {
    server.put({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [container],
            ...affinity({ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }),
          },
        },
      },
    })
    await server.rest()
    const { status } = server.api.get(KINDS.daemonSet, { namespace: 'default', name: 'web' }) as KubeObject
    expect(status).to.include({ desiredNumberScheduled: 0 })
    expect(server.api.list(KINDS.pod)).to.deep.equal([])
  })

  it('makes a pod of a DaemonSet beside one that it takes over, and that was made for no node', async () => {
    const labels = { app: 'web' }
    const orphan = pod('orphan', { nodeSelector: { gpu: 'yes' } })
    server.put({ ...orphan, metadata: { ...orphan.metadata, labels } })
    server.put({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    })
    await server.rest()
    const pods = server.api.list(KINDS.pod)
    expect(pods.map(({ metadata }) => metadata.ownerReferences?.map(({ name }) => name))).to.deep.equal([
      ['web'],
      ['web'],
    ])
    expect(state('orphan')).to.equal(NO_NODE)
    const { status } = server.api.get(KINDS.daemonSet, { namespace: 'default', name: 'web' }) as KubeObject
    expect(status).to.include({ desiredNumberScheduled: 1, currentNumberScheduled: 1, numberReady: 1 })
  })
})
