import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const claim = (spec: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
})
const volume = (spec: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'given' },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' }, hostPath: { path: '/x' }, ...spec },
})
const storageClass = (name: string, provisioner = 'example.com/disks'): KubeObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
})

describe('claims and volumes', () => {
  let server: WorkloadServer
  const phase = (kind: 'claim' | 'volume', name: string) => {
    const key = { namespace: kind === 'claim' ? 'default' : '', name }
    return (server.api.get(KINDS[kind], key)?.status as { phase?: string } | undefined)?.phase
  }

  beforeEach(() => {
    server = new WorkloadServer()
  })
  afterEach(() => server.stop())

  it('a claim is bound to a volume of its size, and both go together', async () => {
    const { metadata } = server.put(claim())
    const volume = `pvc-${metadata.uid}`
    await server.rest()
    expect([phase('claim', 'data'), phase('volume', volume)]).to.deep.equal(['Bound', 'Bound'])
    expect(server.api.get(KINDS.volume, { namespace: '', name: volume })?.spec).to.have.nested.property(
      'capacity.storage',
      '1Gi',
    )
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    await server.rest()
    expect([phase('claim', 'data'), phase('volume', volume)]).to.deep.equal([undefined, undefined])
  })

  it('a claim in use stays until its pod is gone', async () => {
    server.put(claim())
    server.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'user' },
      spec: {
        containers: [{ name: 'web', image: 'nginx:1' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    })
    await server.rest()
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    await server.rest()
    expect(phase('claim', 'data')).to.equal('Bound')
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'user' })
    await server.rest()
    expect(phase('claim', 'data')).to.equal(undefined)
  })

  const user = (name: string, spec: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      containers: [{ name: 'web', image: 'nginx:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      ...spec,
    },
  })

  it('a claim stays for a pod on a node that has ended', async () => {
    server.put(claim())
    const pod = server.put(user('job', { restartPolicy: 'Never' }))
    await server.rest()
    const ended = server.api.get(KINDS.pod, { namespace: 'default', name: 'job' })!
    server.api.update({ ...ended, status: { ...(ended.status as object), phase: 'Succeeded' } }, 'kubelet', 'status')
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    await server.rest()
    expect(phase('claim', 'data')).to.equal('Bound')
    server.api.delete(KINDS.pod, { namespace: 'default', name: pod.metadata.name! })
    await server.rest()
    expect(phase('claim', 'data')).to.equal(undefined)
  })

  it('a claim does not stay for a pod that is on no node', async () => {
    server.put(claim())
    server.put(user('waits', { schedulerName: 'other' }))
    await server.rest()
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    await server.rest()
    expect(phase('claim', 'data')).to.equal(undefined)
  })

  it('a claim that wants only what others provide waits for it', async () => {
    server.put(claim({ storageClassName: '', volumeName: 'given' }))
    server.put({ ...claim({ storageClassName: '' }), metadata: { name: 'waits' } })
    await server.rest()
    expect([phase('claim', 'data'), phase('claim', 'waits')]).to.deep.equal(['Pending', 'Pending'])
    server.api.create(
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'given' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '2Gi' },
          hostPath: { path: '/x' },
          claimRef: { name: 'data', namespace: 'default' },
        },
      },
      'kubectl',
    )
    await server.rest()
    expect([phase('claim', 'data'), phase('volume', 'given'), phase('claim', 'waits')]).to.deep.equal([
      'Bound',
      'Bound',
      'Pending',
    ])
    server.api.delete(KINDS.volume, { namespace: '', name: 'given' })
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    await server.rest()
    expect(phase('volume', 'given')).to.equal(undefined)
  })

  it('claims and volumes are taken up by a server that starts', async () => {
    server.stop()
    server.put(claim())
    server.put(volume())
    server.restart()
    await server.rest()
    expect([phase('claim', 'data'), phase('volume', 'given')]).to.deep.equal(['Bound', 'Bound'])
  })

  const events = (): readonly string[] =>
    server.api
      .list({ group: '', version: 'v1', kind: 'Event' })
      .map(({ type, reason, message }) => `${type} ${reason} ${message}`)

  it('a claim of a class that is not there waits for it, and says so', async () => {
    server.put(claim({ storageClassName: 'slow' }))
    await server.rest()
    expect([phase('claim', 'data'), ...events()]).to.deep.equal([
      'Pending',
      'Warning ProvisioningFailed storageclass.storage.k8s.io "slow" not found',
    ])
    server.api.create(storageClass('slow'), 'kubectl')
    await server.rest()
    expect(phase('claim', 'data')).to.equal('Bound')
  })

  it('a claim without a class gets an event when no volume fits', async () => {
    server.put(claim({ storageClassName: '' }))
    await server.rest()
    expect(events()).to.deep.equal([
      'Normal FailedBinding no persistent volumes available for this claim and no storage class is set',
    ])
  })

  it('no volumes are made for a class without a provisioner', async () => {
    server.api.create(storageClass('manual', 'kubernetes.io/no-provisioner'), 'kubectl')
    server.put(claim({ storageClassName: 'manual' }))
    await server.rest()
    expect([phase('claim', 'data'), ...events()]).to.deep.equal([
      'Pending',
      'Warning ProvisioningFailed no volume plugin matched name: kubernetes.io/no-provisioner',
    ])
  })

  it('a claim takes the smallest volume of its class that fits', async () => {
    const offer = (name: string, spec: object): void =>
      void server.api.create({ ...volume({ storageClassName: 'manual', ...spec }), metadata: { name } }, 'kubectl')
    offer('large', { capacity: { storage: '5Gi' } })
    offer('small', { capacity: { storage: '512Mi' } })
    offer('block', { volumeMode: 'Block' })
    offer('shared', { accessModes: ['ReadOnlyMany'] })
    offer('other', { storageClassName: 'other' })
    offer('fits', {})
    server.put(claim({ storageClassName: 'manual' }))
    await server.rest()
    expect(server.api.get(KINDS.claim, { namespace: 'default', name: 'data' })?.spec).to.include({ volumeName: 'fits' })
  })

  it('a claim takes the smallest of three volumes, whichever came first', async () => {
    for (const [name, storage] of Object.entries({ a: '3Gi', b: '2Gi', c: '4Gi' })) {
      server.api.create(
        { ...volume({ storageClassName: 'manual', capacity: { storage } }), metadata: { name } },
        'kubectl',
      )
    }
    server.put(claim({ storageClassName: 'manual' }))
    await server.rest()
    expect(server.api.get(KINDS.claim, { namespace: 'default', name: 'data' })?.spec).to.include({
      volumeName: 'b',
    })
  })

  it('a claim with a selector takes only a volume with such labels', async () => {
    server.put(volume({ storageClassName: 'manual' }))
    for (const [name, tier] of Object.entries({ plain: 'slow', wanted: 'fast' })) {
      const labels = { tier }
      server.api.create({ ...volume({ storageClassName: 'manual' }), metadata: { name, labels } }, 'kubectl')
    }
    server.put(claim({ storageClassName: 'manual', selector: { matchLabels: { tier: 'fast' } } }))
    await server.rest()
    expect(server.api.get(KINDS.claim, { namespace: 'default', name: 'data' })?.spec).to.include({
      volumeName: 'wanted',
    })
  })

  it('a volume whose claim is gone is given to no other claim', async () => {
    server.put(volume({ storageClassName: 'manual' }))
    server.put(claim({ storageClassName: 'manual' }))
    await server.rest()
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    await server.rest()
    server.put({ ...claim({ storageClassName: 'manual' }), metadata: { name: 'second' } })
    await server.rest()
    expect([phase('volume', 'given'), phase('claim', 'second')]).to.deep.equal(['Released', 'Pending'])
  })

  it('a claim that waits takes a volume that comes later', async () => {
    server.put(claim({ storageClassName: 'manual' }))
    await server.rest()
    server.put(volume({ storageClassName: 'manual' }))
    await server.rest()
    expect([phase('claim', 'data'), phase('volume', 'given')]).to.deep.equal(['Bound', 'Bound'])
  })

  it('a claim has the storage class of its volume', async () => {
    server.api.create(storageClass('fast'), 'kubectl')
    server.put(claim({ storageClassName: 'fast' }))
    await server.rest()
    const [made] = server.api.list(KINDS.volume)
    expect(made?.spec).to.include({ storageClassName: 'fast' })
  })

  it('a volume is available until a claim names it, and released when that claim is gone', async () => {
    server.put(volume())
    await server.rest()
    expect(phase('volume', 'given')).to.equal('Available')
    server.put(claim({ storageClassName: '', volumeName: 'given' }))
    await server.rest()
    expect([phase('volume', 'given'), phase('claim', 'data')]).to.deep.equal(['Bound', 'Bound'])
    server.api.delete(KINDS.claim, { namespace: 'default', name: 'data' })
    await server.rest()
    expect(phase('volume', 'given')).to.equal('Released')
  })

  it('a volume that is kept for a claim waits for it, and is bound to no other', async () => {
    const claimRef = { name: 'data', namespace: 'default' }
    server.put(volume({ claimRef, persistentVolumeReclaimPolicy: 'Delete' }))
    server.put({ ...claim({ storageClassName: '', volumeName: 'given' }), metadata: { name: 'thief' } })
    await server.rest()
    expect([phase('volume', 'given'), phase('claim', 'thief')]).to.deep.equal(['Available', 'Pending'])
    server.put(claim({ storageClassName: '', volumeName: 'given' }))
    await server.rest()
    expect([phase('volume', 'given'), phase('claim', 'data')]).to.deep.equal(['Bound', 'Bound'])
  })
})
