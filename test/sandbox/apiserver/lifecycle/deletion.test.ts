import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { CONFIG_MAP, configMap, Sandbox, settle } from '../sandbox.ts'

const POD = { group: '', version: 'v1', kind: 'Pod' }
const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const KEY = { namespace: 'default', name: 'p' }

describe('Deletion', () => {
  const clock = new FakeClock()
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = new Sandbox({ clock })
  })

  const runningPod = (): void => {
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }
    const pod = sandbox.objects.create({ ...pods('p'), spec }, 'test')
    sandbox.objects.update({ ...pod, status: { phase: 'Running' } }, 'test', 'status')
  }
  const pod = (): KubeObject | undefined => sandbox.objects.get(POD, KEY)

  it('is graceful for pods that run', () => {
    runningPod()
    sandbox.objects.delete(POD, KEY)
    expect(pod()?.metadata.deletionGracePeriodSeconds).to.equal(30)
    expect(Date.parse(pod()?.metadata.deletionTimestamp ?? '') - clock.now()).to.equal(30_000)
  })

  it('can be hurried, but not slowed down', async () => {
    runningPod()
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 20 })
    const version = pod()?.metadata.resourceVersion
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 25 })
    sandbox.objects.delete(POD, KEY)
    expect(pod()?.metadata.resourceVersion).to.equal(version)
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 5 })
    expect(pod()?.metadata.deletionGracePeriodSeconds).to.equal(5)
    await clock.advance(10_000)
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 3 })
    expect(pod()?.metadata.deletionGracePeriodSeconds).to.equal(1)
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 0 })
    expect(pod()).to.equal(undefined)
  })

  it('takes a negative grace period for a second', () => {
    runningPod()
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: -5 })
    expect(pod()?.metadata.deletionGracePeriodSeconds).to.equal(1)
  })

  it('is at once for pods that are not scheduled', () => {
    sandbox.objects.create({ ...pods('p'), spec: { containers: [{ name: 'c', image: 'i' }] } }, 'test')
    sandbox.objects.delete(POD, KEY)
    expect(pod()).to.equal(undefined)
  })

  it('comes to the same end when a controller takes the pod away as soon as it is marked', () => {
    runningPod()
    const stop = sandbox.objects.subscribe(POD, ({ type, object }) => {
      if (type !== 'MODIFIED' || object.metadata.deletionTimestamp === undefined) return
      stop()
      sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 0 })
    })
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 0 })
    expect(pod()).to.equal(undefined)
  })

  it('shows watchers a pod without grace as one that is being deleted, before it is gone', async () => {
    await sandbox.start()
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    const { metadata } = sandbox.objects.create({ ...pods('p'), spec }, 'test')
    const seen: string[] = []
    const stop = sandbox.objects.subscribe(POD, ({ type, object }) => {
      seen.push(`${type} ${object.metadata.deletionTimestamp === undefined ? '' : 'while deleted'}`)
      // A client that hears of the change acts on it a little later.
      if (type === 'MODIFIED') setImmediate(() => seen.push(pod() ? 'still there' : 'gone'))
    })
    const { resourceVersion, uid } = metadata
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } }
    const deleted = await sandbox.send('DELETE', '/api/v1/namespaces/default/pods/p', { body: body as JsonObject })
    expect(deleted.status, deleted.text).to.equal(200)
    expect(pod()).to.equal(undefined)
    expect(seen).to.deep.equal(['MODIFIED while deleted', 'still there', 'DELETED while deleted'])
    stop()
    await sandbox.stop()
  })

  it('of a namespace empties it first, whatever holds its objects', async () => {
    const { objects } = sandbox
    objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } }, 'test')
    objects.create(configMap('free', { metadata: { namespace: 'doomed' } }), 'test')
    const finalizers = ['example.com/hold']
    const held = objects.create(configMap('held', { metadata: { namespace: 'doomed', finalizers } }), 'test')
    objects.delete(NAMESPACE, { namespace: '', name: 'doomed' })
    await settle()
    const doomed = objects.get(NAMESPACE, { namespace: '', name: 'doomed' })
    expect(remainingIn(doomed)).to.equal('Some resources are remaining: configmaps. has 1 resource instances')
    expect(objects.list(CONFIG_MAP, { namespace: 'doomed' }).map(({ metadata }) => metadata.name)).to.deep.equal([
      'held',
    ])
    expect(() => objects.create(configMap('late', { metadata: { namespace: 'doomed' } }), 'test')).to.throw(
      /being terminated/,
    )
    const live = objects.get(CONFIG_MAP, { namespace: 'doomed', name: 'held' }) ?? held
    const { finalizers: _finalizers, ...metadata } = live.metadata
    objects.update({ ...live, metadata }, 'test')
    await settle()
    expect(objects.get(NAMESPACE, { namespace: '', name: 'doomed' })).to.equal(undefined)
  })

  it('of a pod whose time is up, but that a finalizer holds, changes nothing', () => {
    const metadata = { name: 'p', namespace: 'default', finalizers: ['example.com/hold'] }
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }
    sandbox.objects.create({ ...pods('p'), metadata, spec }, 'test')
    sandbox.objects.delete(POD, KEY, { gracePeriodSeconds: 0 })
    const version = pod()?.metadata.resourceVersion
    sandbox.objects.delete(POD, KEY)
    expect([pod()?.metadata.deletionGracePeriodSeconds, pod()?.metadata.resourceVersion]).to.deep.equal([0, version])
  })

  it('of a namespace waits for pods that have time left', async () => {
    const { objects } = sandbox
    objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } }, 'test')
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }
    const running = { ...pods('p'), metadata: { name: 'p', namespace: 'doomed' }, spec }
    objects.update({ ...objects.create(running, 'test'), status: { phase: 'Running' } }, 'test', 'status')
    objects.delete(NAMESPACE, { namespace: '', name: 'doomed' })
    await settle()
    const doomed = objects.get(NAMESPACE, { namespace: '', name: 'doomed' })
    expect(remainingIn(doomed)).to.equal('Some resources are remaining: pods. has 1 resource instances')
    objects.delete(POD, { namespace: 'doomed', name: 'p' }, { gracePeriodSeconds: 0 })
    await settle()
    expect(objects.get(NAMESPACE, { namespace: '', name: 'doomed' })).to.equal(undefined)
  })

  it('of a namespace that others hold takes away what it has, and leaves the rest to them', async () => {
    const { objects } = sandbox
    const finalizers = ['example.com/hold']
    const metadata = { name: 'held', finalizers }
    objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers } }, 'test')
    objects.delete(NAMESPACE, { namespace: '', name: 'held' })
    await settle()
    const held = () => objects.get(NAMESPACE, { namespace: '', name: 'held' })
    expect(held()?.spec).to.deep.equal({ finalizers })
    objects.update({ ...held()!, spec: {} }, 'test', 'finalize')
    await settle()
    expect([held()?.spec, held()?.metadata.finalizers]).to.deep.equal([{}, finalizers])
    objects.update({ ...held()!, metadata: { ...held()!.metadata, finalizers: [] } }, 'test')
    expect(held()).to.equal(undefined)
  })

  it('of what every namespace has is made good by a server that starts, too', async () => {
    sandbox.objects.delete(CONFIG_MAP, { namespace: 'default', name: 'kube-root-ca.crt' })
    const started = sandbox.start()
    expect(sandbox.objects.get(CONFIG_MAP, { namespace: 'default', name: 'kube-root-ca.crt' })).not.to.equal(undefined)
    await started
    await sandbox.stop()
  })

  it('of what every namespace has is made good', async () => {
    sandbox.objects.delete(CONFIG_MAP, { namespace: 'default', name: 'kube-root-ca.crt' })
    await settle()
    expect(sandbox.objects.get(CONFIG_MAP, { namespace: 'default', name: 'kube-root-ca.crt' })).not.to.equal(undefined)
  })

  it('of a Job leaves its pods unless asked otherwise, and says so', async () => {
    await sandbox.start()
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }
    const path = '/apis/batch/v1/namespaces/default/jobs'
    await sandbox.send('POST', path, { body: { metadata: { name: 'j' }, spec: { template } } })
    const answer = await sandbox.send('DELETE', `${path}/j`)
    expect(answer.headers.warning).to.match(/child pods are preserved by default/)
    expect(answer.body.metadata).to.have.deep.property('finalizers', ['orphan'])
    await sandbox.stop()
  })
})

function pods(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } }
}

function remainingIn(namespace: KubeObject | undefined): string | undefined {
  const { conditions = [] } = (namespace?.status ?? {}) as { conditions?: { type: string; message: string }[] }
  return conditions.find(({ type }) => type === 'NamespaceContentRemaining')?.message
}
