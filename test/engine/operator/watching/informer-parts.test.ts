import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { InformerCaches, LabelIndex, stripObject } from '../../../../src/engine/operator/watching/informer-caches.ts'
import { WatchFailures } from '../../../../src/engine/operator/watching/unserved-kinds.ts'
import type { Subscription } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { Informer } from '../../../../src/engine/runtime/informer.ts'
import { InformerPool } from '../../../../src/engine/runtime/informer-pool.ts'
import { OwnWrites } from '../../../../src/engine/runtime/own-writes.ts'
import { UnseenWrites } from '../../../../src/engine/runtime/unseen-writes.ts'
import { CONFIG_MAP, FakeCluster } from '../../../support/fake-cluster.ts'
import { isCollected } from '../../../support/is-collected.ts'
import { long } from '../../../support/long-tests.ts'

async function informerOf(
  cluster: FakeCluster,
  labelSelector?: string,
): Promise<{ informer: Informer; stop: () => void; clock: FakeClock }> {
  const clock = new FakeClock()
  const informer = new Informer(
    { gvk: CONFIG_MAP, ...(labelSelector && { labelSelector }) },
    { client: cluster, clock, logger: nopLogger },
  )
  const abort = new AbortController()
  void informer.start(abort.signal)
  await clock.settle()
  return { informer, stop: () => abort.abort(), clock }
}

describe('LabelIndex', () => {
  it('knows the objects that carry the rarest of the labels, as they change', async () => {
    const cluster = new FakeCluster()
    for (const name of ['a', 'b', 'c']) cluster.put(name, { app: 'x', only: name })
    const { informer, stop, clock } = await informerOf(cluster)
    const index = new LabelIndex(informer)
    const names = (matchLabels: Record<string, string>): string[] | undefined =>
      index.candidates({ matchLabels })?.map(({ metadata }) => metadata.name ?? '')
    expect(names({ app: 'x', only: 'b' })).to.deep.equal(['b'])
    expect(names({ app: 'x' })).to.have.lengthOf(3)
    expect(names({ app: 'y', only: 'b' })).to.deep.equal([])
    expect(names({})).to.equal(undefined)
    cluster.put('b', { app: 'y' })
    cluster.remove('c')
    await clock.settle()
    expect([names({ only: 'b' }), names({ app: 'y' }), names({ only: 'c' })]).to.deep.equal([[], ['b'], []])
    index.stop()
    stop()
  })
})

describe('UnseenWrites', () => {
  it('are seen when every informer that can see them has', async () => {
    const cluster = new FakeCluster()
    const { informer, stop, clock } = await informerOf(cluster)
    const other = await informerOf(new FakeCluster(), 'never=matched')
    const unseen = new UnseenWrites(() => [informer, other.informer])
    const written = cluster.put('a')
    unseen.add(CONFIG_MAP, written)
    expect(unseen.areSeen()).to.equal(false)
    await clock.settle()
    expect(unseen.areSeen()).to.equal(true)
    unseen.addRemoval(CONFIG_MAP, { namespace: 'default', name: 'a' }, written.metadata.uid ?? '')
    expect(unseen.areSeen()).to.equal(false)
    cluster.remove('a')
    await clock.settle()
    expect(unseen.areSeen()).to.equal(true)
    stop()
    other.stop()
  })

  it('are forgotten once seen, also when areSeen() is never called', async () => {
    const cluster = new FakeCluster()
    const { informer, stop, clock } = await informerOf(cluster)
    const unseen = new UnseenWrites(() => [informer])
    for (let index = 0; index < 2_000; index++) {
      unseen.add(CONFIG_MAP, cluster.put(`a${index}`))
      if (index % 100 === 0) await clock.settle()
    }
    expect(unseen.size).to.be.below(700)
    stop()
  })
})

describe('stripObject', () => {
  it('keeps our managed fields and the name of who wrote last, and drops the fields of others and the copy that kubectl leaves', () => {
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', kept: 'x' },
        managedFields: [
          { manager: 'older', time: '2026-01-01T00:00:00Z' },
          { manager: 'kubectl', time: '2026-01-02T00:00:00Z', fieldsV1: { 'f:data': {} } },
          { manager: 'controller', time: '2026-01-03T00:00:00Z', subresource: 'status' },
          { manager: 'rolebook' },
          { manager: 'rolebook-patch-0' },
          { manager: 'timeless' },
          {},
        ],
      },
      data: { a: '1' },
    }
    expect(stripObject(object)).to.deep.equal({
      ...object,
      metadata: {
        name: 'a',
        annotations: { kept: 'x' },
        managedFields: [{ manager: 'rolebook' }, { manager: 'rolebook-patch-0' }, { manager: 'kubectl' }],
      },
    })
    const bare: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations: { b: 'c' } } }
    expect(stripObject(bare)).to.deep.equal(bare)
    const foreign = { ...bare, metadata: { name: 'a', managedFields: [{ manager: 'kubectl' }] } }
    expect(stripObject(foreign).metadata.managedFields, 'the managers of foreign objects are not needed').to.deep.equal(
      [],
    )
  })
})

describe('WatchFailures', () => {
  async function firstList(...refusals: Error[]): Promise<string> {
    const cluster = new FakeCluster()
    cluster.refusals.push(...refusals)
    const failures = new WatchFailures()
    const clock = new FakeClock()
    const client = failures.observe(cluster)
    const informer = new Informer({ gvk: CONFIG_MAP }, { client, clock, logger: nopLogger })
    const abort = new AbortController()
    const synced = failures.synced(informer).then(
      () => 'synced',
      (error: ApiError) => error.reason,
    )
    void informer.start(abort.signal)
    await clock.settle()
    const result = await synced
    abort.abort()
    return result
  }

  it('lets who waits for a list know that there will be none', async () => {
    expect(await firstList(new ApiError(403, 'Forbidden', 'x'))).to.equal('Forbidden')
    expect(await firstList(new ApiError(404, 'KindNotServed', 'x'))).to.equal('KindNotServed')
  })

  it('waits on when the server only wants to be asked in another way', async () => {
    expect(await firstList(new ApiError(422, 'Invalid', 'sendInitialEvents'))).to.equal('synced')
    expect(await firstList()).to.equal('synced')
  })

  it('reports at once what has failed before, and passes reads on', async () => {
    const cluster = new FakeCluster()
    cluster.refusals.push(new ApiError(403, 'Forbidden', 'x'))
    const failures = new WatchFailures()
    const clock = new FakeClock()
    const reader = failures.observe(cluster)
    const informer = new Informer({ gvk: CONFIG_MAP }, { client: reader, clock, logger: nopLogger })
    const abort = new AbortController()
    void informer.start(abort.signal)
    await clock.settle()
    expect(await failures.synced(informer).catch((error: ApiError) => error.reason)).to.equal('Forbidden')
    cluster.put('a')
    expect((await reader.get(CONFIG_MAP, { namespace: 'default', name: 'a' }))?.metadata.name).to.equal('a')
    cluster.refusals.push(new ApiError(500, 'InternalError', 'x'))
    expect(await reader.list(CONFIG_MAP).catch((error: ApiError) => error.reason)).to.equal('InternalError')
    abort.abort()
  })
})

describe('InformerCaches', () => {
  const key = { namespace: 'default', name: 'a' }
  let clock: FakeClock
  let cluster: FakeCluster
  let pool: InformerPool
  let caches: InformerCaches
  beforeEach(() => {
    clock = new FakeClock()
    cluster = new FakeCluster()
    const ownWrites = new OwnWrites({ clock })
    const failures = new WatchFailures()
    pool = new InformerPool({ newReader: () => failures.observe(cluster), clock, logger: nopLogger, ownWrites })
    caches = new InformerCaches({
      pool,
      ownWrites,
      unseen: new UnseenWrites(() => pool.informers()),
      failures,
      mapper: { mappingFor: () => Promise.reject(), preferred: () => Promise.reject(), refresh: () => undefined },
      holder: 'test',
      namespaces: () => undefined,
      onEvent: () => undefined,
    })
  })
  afterEach(() => pool.stop())

  it('refuse requests after the end at once', async () => {
    caches.stop()
    const asked = caches.get(CONFIG_MAP, key)
    expect(await asked.catch(({ message }: Error) => message)).to.equal('the controller is stopped')
    expect([...pool.informers()]).to.deep.equal([])
  })

  const releases: { name: string; subscriptions: Subscription[]; kept: number }[] = [
    { name: 'without a subscription', subscriptions: [], kept: 0 },
    { name: 'for what it was asked for', subscriptions: [{ kind: 'object', type: CONFIG_MAP, key }], kept: 1 },
    {
      name: 'for something of its kind that is about to be asked for',
      subscriptions: [{ kind: 'list', type: CONFIG_MAP, selector: {} }],
      kept: 1,
    },
    {
      name: 'for something of another kind that is about to be asked for',
      subscriptions: [{ kind: 'list', type: { group: '', kind: 'Pod' }, selector: {} }],
      kept: 0,
    },
  ]
  for (const { name, subscriptions, kept } of releases) {
    it(`${kept === 1 ? 'keep' : 'let go of'} an informer ${name}`, async () => {
      await caches.get(CONFIG_MAP, key)
      caches.releaseUnused(subscriptions)
      expect([...pool.informers()]).to.have.lengthOf(kept)
    })
  }

  it('keep an informer whose first list a run waits for', async () => {
    cluster.put('a')
    cluster.refusals.push(new ApiError(422, 'Invalid', 'no streamed lists here'))
    const [asked] = [caches.get(CONFIG_MAP, key), caches.get(CONFIG_MAP, { ...key, name: 'b' })]
    caches.releaseUnused([])
    expect((await asked)?.metadata.name).to.equal('a')
  })

  const foreign: { name: string; subscriptions: Subscription[]; kept: string[] }[] = [
    { name: 'without a subscription', subscriptions: [], kept: ['all'] },
    {
      name: 'for what it was asked for',
      subscriptions: [{ kind: 'object', type: CONFIG_MAP, key }],
      kept: ['all', 'default'],
    },
    {
      name: 'for what it was not asked for',
      subscriptions: [{ kind: 'object', type: CONFIG_MAP, key: { ...key } }],
      kept: ['all'],
    },
  ]
  for (const { name, subscriptions, kept } of foreign) {
    it(`${kept.length === 2 ? 'keep' : 'let go of'} an informer of what others own ${name}, and of no other`, async () => {
      await caches.get(CONFIG_MAP, key)
      expect(caches.watchesForeign).to.equal(false)
      await caches.metadata(CONFIG_MAP, key)
      expect(caches.watchesForeign).to.equal(true)
      caches.releaseForeign(subscriptions)
      expect([...pool.informers()].map(({ spec }) => spec.namespace ?? 'all')).to.deep.equal(kept)
    })
  }

  long.it('hold no informer that they let go of, though what was looked for in it is remembered', async () => {
    await caches.metadata(CONFIG_MAP, key)
    const informers = [...pool.informers()].map((one) => new WeakRef(one))
    expect(informers).to.have.lengthOf(1)
    caches.releaseForeign([])
    for (const informer of informers) expect(await isCollected(informer), 'the informer has gone').to.equal(true)
  })

  long.it('do not keep the context of a caller that waited for a first list', async () => {
    const running = new AsyncLocalStorage<object>()
    const run = new WeakRef({})
    const first = caches.get(CONFIG_MAP, key)
    await Promise.all([first, running.run(run.deref() ?? {}, () => caches.get(CONFIG_MAP, key))])
    expect(await isCollected(run), 'the run has gone').to.equal(true)
  })

  it('let go of an informer whose list fails', async () => {
    cluster.refusals.push(new ApiError(403, 'Forbidden', 'x'))
    const asked = caches.get(CONFIG_MAP, key)
    expect(await asked.catch(({ reason }: ApiError) => reason)).to.equal('Forbidden')
    caches.releaseUnused([])
    expect([...pool.informers()]).to.deep.equal([])
  })
})
