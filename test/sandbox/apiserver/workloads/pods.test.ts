import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { phaseOf, restartsOf } from '../../../../src/sandbox/apiserver/workloads/common/pod-state.ts'
import { WorkloadServer } from './workload-server.ts'

const pod = (
  spec: JsonObject,
  containers: readonly JsonObject[] = [{ name: 'web', image: 'nginx:1' }],
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers, ...spec },
})
const key = { namespace: 'default', name: 'web' }

interface Status {
  readonly phase?: string
  readonly podIP?: string
  readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[]
  readonly containerStatuses?: readonly { ready: boolean; state: object; image: string }[]
}

describe('pods', () => {
  let server: WorkloadServer
  const statusOf = (): Status => server.api.get(KINDS.pod, key)?.status as Status
  const condition = (type: string) => statusOf().conditions?.find((each) => each.type === type)

  beforeEach(() => {
    server = new WorkloadServer({ podStarted: 100, podReady: 100, imageBackOff: 500, podStopped: 50 })
  })
  afterEach(() => server.stop())

  it('are bound at once, run after a while, and are ready when their probe has had its time', async () => {
    server.put(pod({}, [{ name: 'web', image: 'nginx:1', readinessProbe: { tcpSocket: { port: 80 } } }]))
    await server.rest(99)
    expect([statusOf().phase, condition('PodScheduled')?.status]).to.deep.equal(['Pending', 'True'])
    await server.rest(1)
    expect([statusOf().phase, condition('Ready')?.status]).to.deep.equal(['Running', 'False'])
    await server.rest(100)
    expect([statusOf().phase, condition('Ready')?.status]).to.deep.equal(['Running', 'True'])
  })

  it('without readiness probe are ready as soon as they run', async () => {
    server.put(pod({}))
    await server.rest(100)
    expect([statusOf().phase, condition('Ready')?.status]).to.deep.equal(['Running', 'True'])
  })

  const annotated = (annotations: JsonObject, restartPolicy = 'Never'): KubeObject => ({
    ...pod({ restartPolicy }),
    metadata: { name: 'web', annotations: annotations as Record<string, string> },
  })
  const ends: readonly (readonly [name: string, pod: KubeObject, phase: string])[] = [
    ['that are tests of a Helm release end', annotated({ 'helm.sh/hook': 'test' }), 'Succeeded'],
    ['that say so end', annotated({ 'sandbox.rolebook.dev/completes': 'true' }, 'OnFailure'), 'Succeeded'],
    ['that restart do not end', annotated({ 'sandbox.rolebook.dev/completes': 'true' }, 'Always'), 'Running'],
    ['that do not say so run on', annotated({ 'sandbox.rolebook.dev/completes': 'no' }), 'Running'],
  ]
  for (const [name, given, phase] of ends) {
    it(name, async () => {
      server.put(given)
      await server.rest(5000)
      expect(statusOf().phase).to.equal(phase)
    })
  }

  it('have addresses of their own, given again after the others', async () => {
    for (const name of ['a', 'b', 'c']) server.put({ ...pod({}), metadata: { name } })
    await server.rest()
    const ips = server.api.list(KINDS.pod).map((each) => (each.status as Status).podIP)
    expect(new Set(ips).size).to.equal(3)
  })

  it('on the network of the node have its address', async () => {
    server.put(pod({ hostNetwork: true }))
    await server.rest()
    expect(statusOf().podIP).to.equal('10.0.0.1')
  })

  it('whose image is not found wait with ErrImagePull, then ImagePullBackOff, until the image is changed', async () => {
    server.put(pod({}, [{ name: 'web', image: 'notfound:1' }]))
    await server.rest(100)
    expect(statusOf().containerStatuses?.[0]?.state).to.have.nested.property('waiting.reason', 'ErrImagePull')
    await server.rest(500)
    expect(statusOf().containerStatuses?.[0]?.state).to.have.nested.property('waiting.reason', 'ImagePullBackOff')
    expect(statusOf().phase).to.equal('Pending')
    const live = server.api.get(KINDS.pod, key)!
    const [container] = (live.spec as unknown as { containers: object[] }).containers
    const containers = [{ ...container, image: 'nginx:1' }]
    server.api.update({ ...live, spec: { ...(live.spec as object), containers } } as KubeObject, 'kubectl')
    await server.rest()
    expect(statusOf().phase).to.equal('Running')
  })

  it('restart a container whose image is changed', async () => {
    server.put(pod({}))
    await server.rest()
    const live = server.api.get(KINDS.pod, key)!
    const [container] = (live.spec as unknown as { containers: object[] }).containers
    const containers = [{ ...container, image: 'nginx:2' }]
    server.api.update({ ...live, spec: { ...(live.spec as object), containers } } as KubeObject, 'kubectl')
    await server.rest()
    const after = server.api.get(KINDS.pod, key)!
    expect([restartsOf(after), statusOf().containerStatuses?.[0]?.image]).to.deep.equal([1, 'nginx:2'])
  })

  it('stay a moment when they are deleted, and go at once without grace period', async () => {
    server.put(pod({}))
    await server.rest()
    server.api.delete(KINDS.pod, key)
    expect(server.api.get(KINDS.pod, key)?.metadata.deletionTimestamp).to.be.a('string')
    await server.rest(50)
    expect(server.api.get(KINDS.pod, key)).to.equal(undefined)
    server.put(pod({}))
    await server.rest()
    server.api.delete(KINDS.pod, key, { gracePeriodSeconds: 0 })
    expect(server.api.get(KINDS.pod, key)).to.equal(undefined)
  })

  it('that ask for another node wait, and say why, until the node has the label', async () => {
    server.put(pod({ nodeSelector: { disk: 'ssd' } }))
    await server.rest()
    const scheduled = condition('PodScheduled')
    expect([scheduled?.status, scheduled?.reason]).to.deep.equal(['False', 'Unschedulable'])
    expect(scheduled?.message).to.match(
      /^0\/1 nodes are available: 1 node\(s\) didn't match Pod's node affinity\/selector\./,
    )
    const node = server.api.get(KINDS.node, { namespace: '', name: 'sandbox' })!
    const labels = { ...node.metadata.labels, disk: 'ssd' }
    server.api.update({ ...node, metadata: { ...node.metadata, labels } }, 'kubectl')
    await server.rest()
    expect(phaseOf(server.api.get(KINDS.pod, key)!)).to.equal('Running')
  })

  it('wait while the node is cordoned, gated, or left to another scheduler', async () => {
    server.put({ ...pod({ schedulingGates: [{ name: 'example.com/gate' }] }), metadata: { name: 'gated' } })
    server.put({ ...pod({ schedulerName: 'other' }), metadata: { name: 'other' } })
    const node = server.api.get(KINDS.node, { namespace: '', name: 'sandbox' })!
    server.api.update({ ...node, spec: { ...(node.spec as object), unschedulable: true } }, 'kubectl')
    server.put(pod({}))
    await server.rest()
    expect(server.api.list(KINDS.pod).map(phaseOf)).to.deep.equal(['Pending', 'Pending', 'Pending'])
    expect(condition('PodScheduled')?.message).to.contain('node(s) were unschedulable')
  })

  it('show init containers as done and sidecars as running', async () => {
    const initContainers = [
      { name: 'once', image: 'busybox:1' },
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' },
    ]
    server.put(pod({ initContainers }))
    await server.rest()
    const { initContainerStatuses } = statusOf() as unknown as { initContainerStatuses: { state: object }[] }
    expect(initContainerStatuses.map(({ state }) => Object.keys(state))).to.deep.equal([['terminated'], ['running']])
    const [row] = server.listWithRows(KINDS.pod).map(({ cells }) => cells as unknown as string[])
    expect(row?.slice(1, 4)).to.deep.equal(['2/2', 'Running', '0'])
  })

  it('have Events about what happens to them', async () => {
    server.put(pod({}, [{ name: 'web', image: 'notfound:1' }]))
    await server.rest()
    const events = server.api.list({ group: '', version: 'v1', kind: 'Event' }, { namespace: 'default' })
    expect(events.map(({ reason }) => reason).sort()).to.deep.equal(['BackOff', 'Failed', 'Scheduled'])
    const scheduled = events.find(({ reason }) => reason === 'Scheduled')!
    expect([scheduled.message, scheduled.source, scheduled.action, scheduled.reportingComponent]).to.deep.equal([
      'Successfully assigned default/web to sandbox',
      {},
      'Binding',
      'default-scheduler',
    ])
  })

  it('are written by the field managers of a real cluster', async () => {
    server.put(pod({}))
    await server.rest()
    const managers = server.api
      .get(KINDS.pod, key)
      ?.metadata.managedFields?.map(
        ({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`,
      )
    expect(managers).to.have.members(['kubectl-create Update ', 'kubelet Update status'])
  })

  const withImages = async (images: readonly [first: string, second: string]): Promise<void> => {
    const live = server.api.get(KINDS.pod, key)!
    const { containers } = live.spec as unknown as { containers: JsonObject[] }
    const changed = containers.map((container, index) => ({ ...container, image: images[index] }))
    server.api.update({ ...live, spec: { ...(live.spec as object), containers: changed } } as KubeObject, 'kubectl')
    await server.rest()
  }
  const two = (first: string, second: string): KubeObject =>
    pod({}, [
      { name: 'a', image: first },
      { name: 'b', image: second },
    ])

  it('restart only the container whose image is changed', async () => {
    server.put(two('a:1', 'b:1'))
    await server.rest()
    await withImages(['a:1', 'b:2'])
    const { containerStatuses } = statusOf() as unknown as { containerStatuses: { restartCount: number }[] }
    expect(containerStatuses.map(({ restartCount }) => restartCount)).to.deep.equal([0, 1])
  })

  it('run the containers whose image is there, while they wait for another', async () => {
    server.put(two('a:1', 'notfound:1'))
    await server.rest()
    expect(statusOf().containerStatuses?.map(({ state }) => Object.keys(state)[0])).to.deep.equal([
      'running',
      'waiting',
    ])
    expect(statusOf().phase).to.equal('Pending')
  })

  it('that are held by a finalizer stay when their time is up, until it is gone', async () => {
    server.put({ ...pod({}), metadata: { name: 'web', finalizers: ['example.com/hold'] } })
    await server.rest()
    server.api.delete(KINDS.pod, key)
    await server.rest(600_000)
    expect(server.api.get(KINDS.pod, key)?.metadata.deletionGracePeriodSeconds).to.equal(0)
    const live = server.api.get(KINDS.pod, key)!
    server.api.update({ ...live, metadata: { ...live.metadata, finalizers: [] } }, 'kubectl')
    expect(server.api.get(KINDS.pod, key)).to.equal(undefined)
  })

  it('that come again under the same name are bound before they start', async () => {
    server.stop()
    server = new WorkloadServer({ podScheduled: 5000, podStarted: 100 })
    server.put(pod({}))
    await server.rest()
    server.api.delete(KINDS.pod, key, { gracePeriodSeconds: 0 })
    server.put(pod({}))
    await server.rest(1000)
    expect([statusOf().phase, condition('PodScheduled')]).to.deep.equal(['Pending', undefined])
  })

  it('that go before they are bound are forgotten', async () => {
    server.stop()
    server = new WorkloadServer({ podScheduled: 5000 })
    server.put(pod({}))
    server.api.delete(KINDS.pod, key)
    server.takeWrites()
    await server.rest()
    expect(server.takeWrites()).to.deep.equal([])
  })
})
