import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { Informer } from '../../../src/engine/runtime/informer.ts'
import { UnseenWrites } from '../../../src/engine/runtime/unseen-writes.ts'
import { CONFIG_MAP, FakeCluster } from '../../support/fake-cluster.ts'

describe('UnseenWrites, when areSeen() is never called', () => {
  const abort = new AbortController()
  const clock = new FakeClock()
  let cluster: FakeCluster
  let informer: Informer
  let present: Informer[]
  let unseen: UnseenWrites

  beforeEach(async () => {
    cluster = new FakeCluster()
    informer = new Informer({ gvk: CONFIG_MAP }, { client: cluster, clock, logger: nopLogger })
    present = [informer]
    unseen = new UnseenWrites(() => present)
    void informer.start(abort.signal)
    await clock.settle()
  })
  after(() => abort.abort())

  it('are forgotten with the events of the watch', async () => {
    for (let index = 0; index < 200; index++) unseen.add(CONFIG_MAP, cluster.put(`a${index}`))
    expect(unseen.size).to.equal(200)
    await clock.settle()
    expect(unseen.size).to.equal(0)
  })

  it('are forgotten when the object is deleted', async () => {
    const { uid = '' } = cluster.put('a').metadata
    await clock.settle()
    unseen.addRemoval(CONFIG_MAP, { namespace: 'default', name: 'a' }, uid)
    expect(unseen.size).to.equal(1)
    cluster.remove('a')
    await clock.settle()
    expect(unseen.size).to.equal(0)
  })

  it('are forgotten with an informer that is stopped', () => {
    unseen.add(CONFIG_MAP, cluster.put('a'))
    present = []
    unseen.add(CONFIG_MAP, cluster.put('b'))
    expect([unseen.size, unseen.areSeen()]).to.deep.equal([0, true])
  })

  it('are forgotten by an informer whose selection the object has left', async () => {
    const selecting = new Informer(
      { gvk: CONFIG_MAP, labelSelector: 'app=web' },
      { client: cluster, clock, logger: nopLogger },
    )
    present = [selecting]
    unseen.add(CONFIG_MAP, cluster.put('a', { app: 'web' }))
    unseen.add(CONFIG_MAP, cluster.put('b', { app: 'web' }))
    expect(unseen.size).to.equal(2)
    unseen.add(CONFIG_MAP, cluster.put('a'))
    expect(unseen.size).to.equal(1)
    unseen.add(CONFIG_MAP, cluster.put('b'))
    unseen.add(CONFIG_MAP, cluster.put('b'))
    expect([unseen.size, unseen.areSeen()]).to.deep.equal([0, true])
  })

  it('with versions that cannot be compared are forgotten when the cache has the very one', async () => {
    const written = cluster.put('a')
    await clock.settle()
    const opaque = { ...written, metadata: { ...written.metadata, resourceVersion: 'opaque' } }
    unseen.add(CONFIG_MAP, opaque)
    expect(unseen.areSeen()).to.equal(false)
    informer.cache.put(opaque)
    expect(unseen.areSeen()).to.equal(true)
  })

  it('are remembered for a list that began before them', () => {
    const listing = new Informer({ gvk: CONFIG_MAP }, { client: cluster, clock, logger: nopLogger })
    present = [listing]
    unseen.add(CONFIG_MAP, cluster.put('a'))
    expect(unseen.size).to.equal(1)
  })

  it('are remembered without what they contain', () => {
    const kept: unknown[] = []
    const set = Map.prototype.set
    Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
      kept.push(value)
      return set.call(this, key, value)
    }
    try {
      const { metadata } = cluster.put('a')
      kept.length = 0
      unseen.add(CONFIG_MAP, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { password: 'secret-text' } })
    } finally {
      Map.prototype.set = set
    }
    const texts = kept.map((value) => JSON.stringify(value instanceof Map ? [...value] : value))
    expect(texts.join()).to.include('"name":"a"').and.not.include('secret-text')
  })
})
