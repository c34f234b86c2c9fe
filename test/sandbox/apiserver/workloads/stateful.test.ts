import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const template = (image: string) => ({
  metadata: { labels: { app: 'db' } },
  spec: { containers: [{ name: 'db', image }] },
})
const claimTemplate = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const statefulSet = (spec: object = {}, image = 'db:1'): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: template(image),
    ...spec,
  },
})

describe('workloads with a memory', () => {
  let server: WorkloadServer
  const pods = () => server.api.list(KINDS.pod, { namespace: 'default' })
  const names = () => pods().map(({ metadata }) => metadata.name)
  const images = () =>
    pods().map(({ spec }) => (spec as unknown as { containers: { image: string }[] }).containers[0]?.image)
  const phase = (kind: 'claim' | 'volume', name: string) => {
    const key = { namespace: kind === 'claim' ? 'default' : '', name }
    return (server.api.get(KINDS[kind], key)?.status as { phase?: string } | undefined)?.phase
  }

  beforeEach(() => {
    server = new WorkloadServer({ podStarted: 100 })
  })
  afterEach(() => server.stop())

  it('StatefulSets start their pods one after the other', async () => {
    server.put(statefulSet())
    await server.rest(150)
    expect(names()).to.deep.equal(['db-0', 'db-1'])
    await server.rest()
    expect(names()).to.deep.equal(['db-0', 'db-1', 'db-2'])
  })

  it('StatefulSets may have the name and the template of a DaemonSet', async () => {
    server.put(statefulSet({ replicas: 1 }))
    server.put({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'db' },
      spec: { selector: { matchLabels: { app: 'db' } }, template: template('db:1') },
    })
    await server.rest()
    const owners = pods().map(({ metadata }) => metadata.ownerReferences?.[0]?.kind)
    expect(owners).to.have.members(['StatefulSet', 'DaemonSet'])
  })

  it('StatefulSets in parallel start all pods at once', async () => {
    server.put(statefulSet({ podManagementPolicy: 'Parallel', ordinals: { start: 5 } }))
    await server.rest(10)
    expect(names()).to.deep.equal(['db-5', 'db-6', 'db-7'])
  })

  it('StatefulSets stop at a pod that does not get ready', async () => {
    server.put(statefulSet({}, 'notfound:1'))
    await server.rest()
    expect(names()).to.deep.equal(['db-0'])
  })

  it('StatefulSets update from the highest number down to the partition', async () => {
    server.put(statefulSet())
    await server.rest()
    server.put(statefulSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }, 'db:2'))
    await server.rest()
    expect(images()).to.deep.equal(['db:1', 'db:2', 'db:2'])
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'db-0' })
    await server.rest()
    expect(images()).to.deep.equal(['db:1', 'db:2', 'db:2'])
  })

  it('StatefulSets with OnDelete update pods that a user deletes', async () => {
    server.put(statefulSet({ updateStrategy: { type: 'OnDelete' } }))
    await server.rest()
    server.put(statefulSet({ updateStrategy: { type: 'OnDelete' } }, 'db:2'))
    await server.rest()
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'db-1' })
    await server.rest()
    expect(images()).to.deep.equal(['db:1', 'db:2', 'db:1'])
  })

  it('pods of StatefulSets find their claims again', async () => {
    server.put(statefulSet({ replicas: 1, volumeClaimTemplates: [claimTemplate] }))
    await server.rest()
    const volumes = (): unknown =>
      (pods()[0]!.spec as unknown as { volumes: object[] }).volumes.find((volume) => 'persistentVolumeClaim' in volume)
    expect(volumes()).to.deep.equal({ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } })
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'db-0' })
    await server.rest()
    expect(volumes()).to.deep.equal({ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } })
    expect(phase('claim', 'data-db-0')).to.equal('Bound')
    const { labels } = server.api.get(KINDS.claim, { namespace: 'default', name: 'data-db-0' })!.metadata
    expect(labels).to.deep.equal({ app: 'db' })
  })

  it('StatefulSets and DaemonSets write nothing at rest', async () => {
    server.put(statefulSet({ volumeClaimTemplates: [claimTemplate] }))
    server.put({
      ...statefulSet(),
      kind: 'DaemonSet',
      spec: { selector: { matchLabels: { app: 'db' } }, template: template('db:1') },
    })
    await server.rest()
    server.takeWrites()
    await server.rest(600_000)
    expect(server.takeWrites()).to.deep.equal([])
  })

  it('a template that comes back is the newest revision again', async () => {
    for (const image of ['db:1', 'db:2', 'db:1']) {
      server.put(statefulSet({}, image))
      await server.rest()
    }
    const revisions = server.api.list(KINDS.controllerRevision).map(({ revision }) => revision)
    expect(revisions.sort()).to.deep.equal([2, 3])
    expect(images()).to.deep.equal(['db:1', 'db:1', 'db:1'])
  })

  it('DaemonSets follow the labels of the node', async () => {
    const spec = { ...template('db:1').spec, nodeSelector: { disk: 'ssd' } }
    const daemonSet = {
      ...statefulSet(),
      kind: 'DaemonSet',
      spec: { selector: { matchLabels: { app: 'db' } }, template: { ...template('db:1'), spec } },
    }
    server.put(daemonSet)
    await server.rest()
    expect(pods()).to.have.length(0)
    for (const [disk, expected] of [
      ['ssd', 1],
      ['hdd', 0],
    ] as const) {
      const node = server.api.get(KINDS.node, { namespace: '', name: 'sandbox' })!
      server.api.update(
        { ...node, metadata: { ...node.metadata, labels: { ...node.metadata.labels, disk } } },
        'kubectl',
      )
      await server.rest()
      expect(pods()).to.have.length(expected)
    }
  })

  const daemonSet = (spec: object = {}, image = 'db:1'): KubeObject => ({
    ...statefulSet(),
    kind: 'DaemonSet',
    spec: { selector: { matchLabels: { app: 'db' } }, template: template(image), ...spec },
  })
  const statusOf = (kind: 'daemonSet' | 'statefulSet') =>
    server.api.get(KINDS[kind], { namespace: 'default', name: 'db' })?.status as Record<string, number>

  const strategies = [
    { name: 'one at a time', updateStrategy: { rollingUpdate: { maxUnavailable: 1 } }, image: 'db:2' },
    { name: 'by shares', updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } }, image: 'db:2' },
    {
      name: 'with a surge',
      updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      image: 'db:2',
    },
    { name: 'when a user deletes them', updateStrategy: { type: 'OnDelete' }, image: 'db:1' },
  ]
  for (const { name, updateStrategy, image } of strategies) {
    it(`DaemonSets replace their pods ${name}`, async () => {
      server.put(daemonSet({ updateStrategy }))
      await server.rest()
      server.put(daemonSet({ updateStrategy }, 'db:2'))
      await server.rest()
      expect(images()).to.deep.equal([image])
    })
  }

  it('DaemonSets and StatefulSets count pods as available after minReadySeconds, and wait for it', async () => {
    server.put(daemonSet({ minReadySeconds: 10 }))
    await server.rest(5000)
    expect(statusOf('daemonSet').numberAvailable).to.equal(undefined)
    await server.rest(10_000)
    expect(statusOf('daemonSet').numberAvailable).to.equal(1)
    server.api.delete(KINDS.daemonSet, { namespace: 'default', name: 'db' })
    server.put(statefulSet({ minReadySeconds: 10, replicas: 2 }))
    await server.rest(5000)
    expect(names()).to.deep.equal(['db-0'])
    await server.rest()
    expect([names(), statusOf('statefulSet').availableReplicas]).to.deep.equal([['db-0', 'db-1'], 2])
  })

  it('pods of DaemonSets on the network of the node put up with a node without network', async () => {
    server.put(daemonSet({ template: { ...template('db:1'), spec: { ...template('db:1').spec, hostNetwork: true } } }))
    await server.rest()
    const { tolerations } = pods()[0]!.spec as unknown as { tolerations: { key: string }[] }
    expect(tolerations.map(({ key }) => key)).to.include('node.kubernetes.io/network-unavailable')
  })

  it('DaemonSets take a pod that runs on the node already', async () => {
    server.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'there', labels: { app: 'db' } },
      spec: template('db:1').spec,
    })
    await server.rest()
    server.put(daemonSet({ updateStrategy: { type: 'OnDelete' } }))
    await server.rest()
    expect(names()).to.deep.equal(['there'])
  })

  it('StatefulSets leave alone pods whose name is none of theirs, and replace those that ended', async () => {
    const other = { name: 'other', labels: { app: 'db' } }
    server.put({ apiVersion: 'v1', kind: 'Pod', metadata: other, spec: template('db:1').spec })
    server.put(statefulSet({ replicas: 1 }))
    await server.rest()
    const ended = pods().find(({ metadata }) => metadata.name === 'db-0')!
    server.api.update({ ...ended, status: { ...(ended.status as object), phase: 'Failed' } }, 'kubelet', 'status')
    await server.rest()
    const owned = pods().map(({ metadata }) => [metadata.name, metadata.ownerReferences?.length ?? 0])
    expect(owned).to.deep.equal([
      ['db-0', 1],
      ['other', 0],
    ])
    const [pod] = pods()
    expect(pod?.metadata.uid).not.to.equal(ended.metadata.uid)
    expect(pod?.status).to.include({ phase: 'Running' })
  })

  for (const kind of ['StatefulSet', 'DaemonSet']) {
    it(`a ${kind} takes its orphans as its own again`, async () => {
      const spec =
        kind === 'StatefulSet' ? {} : { spec: { selector: { matchLabels: { app: 'db' } }, template: template('db:1') } }
      const object = { ...statefulSet(), kind, ...spec }
      server.put(object)
      await server.rest()
      const before = names()
      server.api.delete(
        { group: 'apps', version: 'v1', kind },
        { namespace: 'default', name: 'db' },
        { propagationPolicy: 'Orphan' },
      )
      await server.rest()
      const { metadata } = server.put(object)
      await server.rest()
      expect(names()).to.deep.equal(before)
      const all = [...pods(), ...server.api.list(KINDS.controllerRevision)]
      expect(new Set(all.map((each) => each.metadata.ownerReferences?.[0]?.uid))).to.deep.equal(new Set([metadata.uid]))
    })
  }
})
