import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { differencesOf } from '../../../src/engine/runtime/cache-check.ts'
import { Informer } from '../../../src/engine/runtime/informer.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { CONFIG_MAP } from '../../support/fake-cluster.ts'
import { untilSynced } from '../../support/until-synced.ts'

const SPEC = { gvk: CONFIG_MAP, namespace: 'default', labelSelector: 'checked=yes' }
const COUNT = 1_100

describe('the differences between a cache and a server', () => {
  let cluster: SandboxCluster
  let client: KubeClient
  let informer: Informer
  const stop = new AbortController()
  const { signal } = stop
  let stopped: Promise<void>
  before(async () => {
    cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, tls: false })
    client = cluster.connection.client
    await Promise.all(Array.from({ length: COUNT }, (_, index) => put(`c${index}`)))
    await put('other', 'no')
    informer = new Informer(SPEC, { client, clock: systemClock, logger: nopLogger })
    stopped = informer.start(signal)
    await untilSynced(informer)
  })
  after(async () => {
    stop.abort()
    await stopped
    await cluster.stop()
  })

  const put = (name: string, checked = 'yes', data = {}): Promise<unknown> => {
    const metadata = { name, namespace: 'default', labels: { checked } }
    return client.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { fieldManager: 'test', force: true })
  }

  it('are none, over all pages, of the objects that are watched', async () => {
    expect(informer.cache.size).to.equal(COUNT)
    expect(await differencesOf(informer.cache, { client, spec: SPEC, signal })).to.deep.equal([])
  })

  it('are none while objects change: the state at the version of the cache is compared', async () => {
    const checked = differencesOf(informer.cache, { client, spec: SPEC, signal })
    await Promise.all([put('c1', 'yes', { changed: 'yes' }), put('new'), client.delete(CONFIG_MAP, keyOf('c2'))])
    expect(await checked).to.deep.equal([])
  })

  it('are objects that are missing, left over or of another version', async () => {
    const { cache } = informer
    const [gone, stale] = [cache.get(keyOf('c3')), cache.get(keyOf('c4'))]
    if (!gone || !stale) throw new Error('the cache is not filled')
    cache.delete(keyOf('c3'))
    cache.put({ ...stale, metadata: { ...stale.metadata, resourceVersion: '1' } })
    cache.put({ ...gone, metadata: { ...gone.metadata, name: 'left-over' } })
    const different = await differencesOf(cache, { client, spec: SPEC, signal })
    expect(different).to.have.members(['default/c3', 'default/c4', 'default/left-over'])
  })

  it('are not known at a version that the server does not have', async () => {
    informer.cache.resourceVersion = '999999999'
    const error = await differencesOf(informer.cache, { client, spec: SPEC, signal }).catch((thrown: Error) => thrown)
    expect(error).to.be.instanceOf(Error)
  })
})

function keyOf(name: string): { namespace: string; name: string } {
  return { namespace: 'default', name }
}
