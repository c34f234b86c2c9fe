import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const node = (name: string, spec: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec }) as KubeObject
const pod = (name: string, spec: object = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
  }) as KubeObject
type Shown = { readonly spec: { nodeName?: string; taints?: { key: string }[] }; status: { conditions?: object[] } }

describe('nodes', () => {
  let server: WorkloadServer
  beforeEach(() => {
    server = new WorkloadServer()
  })
  afterEach(() => server.stop())

  const show = (kind: 'node' | 'pod', name: string): Shown =>
    server.api.get(KINDS[kind], { namespace: kind === 'pod' ? 'default' : '', name }) as unknown as Shown
  const cordon = (unschedulable: boolean): void => {
    const live = server.api.get(KINDS.node, { namespace: '', name: 'sandbox' }) as KubeObject
    server.api.update({ ...live, spec: { ...(live.spec as object), unschedulable } }, 'kubectl')
  }
  const taintsOf = (name: string) => show('node', name).spec.taints?.map(({ key }) => key) ?? []

  it('that people add become ready, and lose the taint of those that are not', async () => {
    server.api.create(node('second'), 'kubectl')
    await server.rest()
    expect(show('node', 'second').status.conditions).to.have.length(4)
    expect(taintsOf('second')).to.deep.equal([])
  })

  it('that are cordoned say so by a taint, until they are not', async () => {
    cordon(true)
    await server.rest()
    expect(taintsOf('sandbox')).to.deep.equal(['node.kubernetes.io/unschedulable'])
    cordon(false)
    await server.rest()
    expect(taintsOf('sandbox')).to.deep.equal([])
  })

  it('that are being deleted are left as they are', async () => {
    server.api.create(node('second'), 'kubectl')
    await server.rest()
    const key = { namespace: '', name: 'second' }
    const live = server.api.get(KINDS.node, key) as KubeObject
    const metadata = { ...live.metadata, finalizers: ['example.com/held'] }
    server.api.update({ ...live, metadata, spec: { unschedulable: true } }, 'kubectl')
    server.api.delete(KINDS.node, key)
    await server.rest()
    expect(server.api.get(KINDS.node, key)?.metadata).to.have.property('deletionTimestamp')
  })

  it('take no pods that do not tolerate their taints', async () => {
    const taints = [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }]
    server.api.create(node('second', { taints }), 'kubectl')
    const nodeSelector = { 'kubernetes.io/hostname': 'second' }
    const label = server.api.get(KINDS.node, { namespace: '', name: 'second' }) as KubeObject
    server.api.update({ ...label, metadata: { ...label.metadata, labels: nodeSelector } }, 'kubectl')
    const other = { key: 'other', operator: 'Exists' }
    const tolerations = [other, { key: 'dedicated', operator: 'Equal', value: 'db' }]
    server.put(pod('stranger', { nodeSelector }))
    server.put(pod('friend', { nodeSelector, tolerations }))
    server.put(pod('anywhere', { nodeSelector, tolerations: [{ operator: 'Exists' }] }))
    await server.rest()
    const places = ['stranger', 'friend', 'anywhere'].map((name) => show('pod', name).spec.nodeName)
    expect(places).to.deep.equal([undefined, 'second', 'second'])
  })
})

describe('ReplicationControllers', () => {
  it('keep as many pods as they ask for, by a map of labels', async () => {
    const server = new WorkloadServer()
    const labels = { app: 'old' }
    const spec = { replicas: 2, selector: labels, template: { metadata: { labels }, spec: pod('').spec } }
    server.put({ apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'old' }, spec } as KubeObject)
    await server.rest()
    const key = { namespace: 'default', name: 'old' }
    const { status } = server.api.get(KINDS.replicationController, key) as unknown as { status: object }
    expect(status).to.deep.equal({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
    })
    server.stop()
  })
})

describe('nodes without kubelets', () => {
  let server: WorkloadServer
  beforeEach(() => {
    server = new WorkloadServer({}, { nodes: false })
  })
  afterEach(() => server.stop())

  const taints = (): unknown => (server.api.list(KINDS.node)[0] as unknown as Shown).spec.taints?.map(({ key }) => key)
  const conditions = (): unknown => (server.api.list(KINDS.node)[0] as unknown as Shown).status.conditions

  it('are unreachable a minute after their creation', async () => {
    server.api.create(node('lonely'), 'kubectl')
    await server.rest(59_000)
    expect(conditions()).to.equal(undefined)
    expect(taints()).to.deep.equal(['node.kubernetes.io/not-ready'])
    await server.rest(1_000)
    expect(conditions()).to.have.length(4)
    expect(conditions()).to.have.nested.property('[0].reason', 'NodeStatusNeverUpdated')
    expect(taints()).to.deep.equal(['node.kubernetes.io/unreachable'])
  })

  it('that are being deleted are never called unreachable', async () => {
    const made = node('leaving')
    server.api.create({ ...made, metadata: { ...made.metadata, finalizers: ['example.com/held'] } }, 'kubectl')
    server.api.delete(KINDS.node, { namespace: '', name: 'leaving' })
    await server.rest(120_000)
    expect(conditions()).to.equal(undefined)
    expect(taints()).to.deep.equal(['node.kubernetes.io/not-ready'])
  })

  it('keep the conditions that a kubelet writes', async () => {
    const ready = { type: 'Ready', status: 'True' }
    const created = server.api.create(node('spoken-for'), 'kubectl')
    server.api.update({ ...created, status: { conditions: [ready] } } as KubeObject, 'kubelet', 'status')
    await server.rest(120_000)
    expect(conditions()).to.deep.equal([{ ...ready, lastHeartbeatTime: null, lastTransitionTime: null }])
    expect(taints()).to.equal(undefined)
  })
})
