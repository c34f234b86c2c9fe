import { expect } from 'chai'
import { type KubeObject, keyOf, type OwnerReference } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const statefulSet = (spec: object): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'db:1' }] } },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
    ...spec,
  },
})

describe('claims of a StatefulSet', () => {
  let server: WorkloadServer
  const names = () => server.api.list(KINDS.pod, { namespace: 'default' }).map((pod) => keyOf(pod).name)

  beforeEach(() => {
    server = new WorkloadServer()
  })
  afterEach(() => server.stop())

  const put = async (replicas: number, policy: object): Promise<void> => {
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Retain', whenScaled: 'Retain', ...policy }
    server.put(statefulSet({ replicas, persistentVolumeClaimRetentionPolicy }))
    await server.rest()
  }
  const claims = () => server.api.list(KINDS.claim, { namespace: 'default' })
  const events = () =>
    server.api.list({ group: '', version: 'v1', kind: 'Event' }).map(({ reason, message }) => `${reason}: ${message}`)
  const withoutVolume = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'absent' },
  }
  const owners = () =>
    claims().map(({ metadata }) => [
      metadata.name,
      ...(metadata.ownerReferences ?? []).map(({ kind, name, controller }) => [kind, name, controller]),
    ])

  it('stay unless its policy says otherwise', async () => {
    await put(2, {})
    await put(1, {})
    expect(owners()).to.deep.equal([['data-db-0'], ['data-db-1']])
  })

  it('go with pods that are too many, and are made anew when these come back', async () => {
    await put(2, { whenScaled: 'Delete' })
    expect(owners()).to.deep.equal([['data-db-0'], ['data-db-1']])
    const [, before] = claims()
    await put(1, { whenScaled: 'Delete' })
    expect(owners()).to.deep.equal([['data-db-0']])
    await put(2, { whenScaled: 'Delete' })
    expect(claims()[1]?.status).to.deep.include({ phase: 'Bound' })
    expect(claims()[1]?.metadata.uid).not.to.equal(before?.metadata.uid)
  })

  it('are not those of a pod that is about to take them along', async () => {
    await put(2, { whenScaled: 'Delete' })
    const [, claim] = claims()
    server.api.update({ ...claim!, metadata: { ...claim!.metadata, finalizers: ['example.com/held'] } }, 'test')
    await put(1, { whenScaled: 'Delete' })
    await put(2, { whenScaled: 'Delete' })
    expect(names()).to.deep.equal(['db-0'])
    const held = server.api.get(KINDS.claim, { namespace: 'default', name: 'data-db-1' })!
    server.api.update({ ...held, metadata: { ...held.metadata, finalizers: [] } }, 'test')
    await server.rest()
    expect(names()).to.deep.equal(['db-0', 'db-1'])
  })

  it('go with the set', async () => {
    await put(2, { whenDeleted: 'Delete', whenScaled: 'Delete' })
    const owner = ['StatefulSet', 'db', true]
    expect(owners()).to.deep.equal([
      ['data-db-0', owner],
      ['data-db-1', owner],
    ])
    server.api.delete(KINDS.statefulSet, { namespace: 'default', name: 'db' })
    await server.rest()
    expect(claims()).to.deep.equal([])
  })

  it('go before a set of the same name takes new ones', async () => {
    await put(2, { whenDeleted: 'Delete' })
    const before = claims().map(({ metadata }) => metadata.uid)
    server.api.delete(KINDS.statefulSet, { namespace: 'default', name: 'db' })
    await put(2, { whenDeleted: 'Delete' })
    expect(names()).to.deep.equal(['db-0', 'db-1'])
    expect(claims().map(({ status }) => (status as { phase?: string }).phase)).to.deep.equal(['Bound', 'Bound'])
    expect(claims().some(({ metadata }) => before.includes(metadata.uid))).to.equal(false)
  })

  it('that are in deletion hold up their pod, and an Event says so', async () => {
    await put(1, {})
    const [claim] = claims()
    server.api.update({ ...claim!, metadata: { ...claim!.metadata, finalizers: ['example.com/held'] } }, 'test')
    server.api.delete(KINDS.claim, keyOf(claim!))
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'db-0' })
    await server.rest()
    expect(names()).to.deep.equal([])
    expect(events()).to.include(
      'FailedCreate: Create Pod db-0 in StatefulSet db failed error: pvc data-db-0 is being deleted',
    )
    const held = server.api.get(KINDS.claim, keyOf(claim!))!
    server.api.update({ ...held, metadata: { ...held.metadata, finalizers: [] } }, 'test')
    await server.rest()
    expect(names()).to.deep.equal(['db-0'])
  })

  it('are made again for a pod that waits for them', async () => {
    server.put(statefulSet({ replicas: 1, volumeClaimTemplates: [withoutVolume] }))
    await server.rest()
    const [before] = claims()
    server.api.delete(KINDS.claim, keyOf(before!))
    await server.rest()
    expect(claims().map(({ metadata }) => metadata.uid !== before?.metadata.uid)).to.deep.equal([true])
  })

  it('are made again for a pod that waits for them when those in deletion are gone', async () => {
    server.put(statefulSet({ replicas: 1, volumeClaimTemplates: [withoutVolume] }))
    await server.rest()
    const [before] = claims()
    server.api.update({ ...before!, metadata: { ...before!.metadata, finalizers: ['example.com/held'] } }, 'test')
    server.api.delete(KINDS.claim, keyOf(before!))
    await server.rest()
    const [held] = claims()
    expect(held?.metadata.uid).to.equal(before?.metadata.uid)
    server.api.update({ ...held!, metadata: { ...held!.metadata, finalizers: [] } }, 'test')
    await server.rest()
    expect(claims().map(({ metadata }) => metadata.uid !== before?.metadata.uid)).to.deep.equal([true])
  })

  it('have no owner any more when the policy keeps them again', async () => {
    await put(1, { whenDeleted: 'Delete' })
    await put(1, {})
    expect(owners()).to.deep.equal([['data-db-0']])
  })

  const own = (owner: OwnerReference): void => {
    const [claim] = claims()
    const change = { ownerReferences: [owner], finalizers: ['example.com/held'] }
    server.api.update({ ...claim!, metadata: { ...claim!.metadata, ...change } }, 'test')
  }

  it('are left alone while they are those of an earlier set', async () => {
    await put(1, {})
    own({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'earlier' })
    await put(1, { whenDeleted: 'Delete' })
    expect(owners()).to.deep.equal([['data-db-0', ['StatefulSet', 'db', undefined]]])
  })

  it('are left to another controller', async () => {
    await put(1, {})
    const map = server.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } })
    own({ apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: map.metadata.uid!, controller: true })
    await put(1, { whenDeleted: 'Delete' })
    expect(owners()).to.deep.equal([['data-db-0', ['ConfigMap', 'other', true]]])
  })
})
