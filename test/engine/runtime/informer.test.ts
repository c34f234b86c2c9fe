import { expect } from 'chai'
import fc from 'fast-check'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { WatchOptions } from '../../../src/core/kube/client.ts'
import { formatKey, type KubeObject, keyOf } from '../../../src/core/kube/object.ts'
import type { CacheEvent } from '../../../src/engine/runtime/cache-event.ts'
import { Informer, type InformerOptions } from '../../../src/engine/runtime/informer.ts'
import { beLikeAServer, CONFIG_MAP, FakeCluster } from '../../support/fake-cluster.ts'
import { long } from '../../support/long-tests.ts'
import { untilSynced } from '../../support/until-synced.ts'

const NO_ANSWER = new ApiError(0, 'NoAnswer', 'connection reset')

describe('Informer', () => {
  let cluster: FakeCluster
  let clock: FakeClock
  let stop: AbortController
  let stopped: Promise<void>
  let informer: Informer
  let events: string[]
  let relists: string[]
  beforeEach(() => {
    cluster = new FakeCluster()
    clock = new FakeClock()
    stop = new AbortController()
    events = []
    relists = []
  })
  afterEach(async () => {
    stop.abort()
    await stopped
    expect(clock.pending, 'timers that are left').to.equal(0)
    expect(cluster.openStreams, 'streams that are left').to.equal(0)
  })

  async function start(options: Partial<InformerOptions> = {}): Promise<void> {
    const onRelist = (_spec: unknown, reason: string): void => {
      relists.push(reason)
    }
    const common = { client: cluster, clock, logger: nopLogger, random: () => 0.5, onRelist }
    informer = new Informer({ gvk: CONFIG_MAP }, { ...common, ...options })
    informer.subscribe((event) => events.push(`${event.type} ${event.object.metadata.name}`))
    stopped = informer.start(stop.signal)
    await clock.settle()
  }
  const names = (): string[] => informer.cache.list().map(({ metadata }) => metadata.name ?? '')

  it('fills its cache from a streamed list and follows what happens', async () => {
    cluster.put('a')
    await start()
    await untilSynced(informer)
    expect([informer.live, informer.isSynced, informer.cache.resourceVersion]).to.deep.equal([true, true, '101'])
    cluster.put('b')
    cluster.put('a', { changed: 'yes' })
    cluster.remove('b')
    await clock.settle()
    expect(events).to.deep.equal(['added a', 'added b', 'updated a', 'deleted b'])
    expect(names()).to.deep.equal(['a'])
    expect(cluster.calls).to.deep.equal(['stream list'])
  })

  it('lists in pages where the server streams no lists, and does not ask it again', async () => {
    cluster.withoutWatchList = true
    for (let count = 0; count < 1200; count++) cluster.put(`n${count}`)
    await start()
    expect(informer.cache.size).to.equal(1200)
    expect(cluster.calls).to.deep.equal(['stream list', 'list', 'page', 'page', 'watch 1300'])
    informer.relist()
    await clock.settle()
    expect(cluster.calls.slice(5)).to.deep.equal(['list', 'page', 'page', 'watch 1300'])
  })

  it('lists in pages where the stream of a list ends before its end', async () => {
    cluster.put('a')
    const all = cluster.watch.bind(cluster)
    cluster.watch = async function* (gvk, options) {
      for await (const event of all(gvk, options)) {
        if (options.sendInitialEvents && event.type === 'BOOKMARK') return
        yield event
      }
    }
    await start()
    expect(cluster.calls).to.deep.equal(['stream list', 'list', 'watch 101'])
    expect(informer.live).to.equal(true)
  })

  it('distinguishes a re-created object from a changed one by its uid', async () => {
    cluster.put('a')
    await start()
    cluster.freezeStreams()
    cluster.remove('a')
    const recreated = cluster.put('a')
    informer.relist()
    await clock.settle()
    expect(events).to.deep.equal(['added a', 'deleted a', 'added a'])
    expect(informer.cache.get(keyOf(recreated))?.metadata.uid).to.equal(recreated.metadata.uid)
  })

  it('emits deletes for what vanished while no watch was open, and keeps what did not change', async () => {
    const kept = cluster.put('kept')
    cluster.put('gone')
    await start()
    const before = informer.cache.get(keyOf(kept))
    cluster.freezeStreams()
    cluster.remove('gone')
    informer.relist()
    await clock.settle()
    expect(events).to.deep.equal(['added kept', 'added gone', 'deleted gone'])
    expect(informer.cache.get(keyOf(kept))).to.equal(before)
  })

  it('says which events are the first filling, also to later subscribers', async () => {
    cluster.put('a')
    await start()
    cluster.put('b')
    await clock.settle()
    const seen: CacheEvent[] = []
    const unsubscribe = informer.subscribe((event) => seen.push(event))
    cluster.put('c')
    await clock.settle()
    unsubscribe()
    cluster.put('d')
    await clock.settle()
    expect(seen.map((event) => event.type === 'added' && [event.object.metadata.name, event.initial])).to.deep.equal([
      ['a', true],
      ['b', true],
      ['c', undefined],
    ])
  })

  it('survives handlers that throw', async () => {
    await start()
    informer.subscribe(() => {
      throw new Error('handler')
    })
    cluster.put('a')
    await clock.settle()
    expect(events).to.deep.equal(['added a'])
  })

  it('strips objects before it keeps or shows them', async () => {
    cluster.put('a', { secret: 'x' })
    const stripObject = ({ data, ...object }: KubeObject): KubeObject => object
    await start({ stripObject })
    cluster.put('b', { secret: 'y' })
    await clock.settle()
    expect(informer.cache.list().some((object) => 'data' in object)).to.equal(false)
  })

  it('finds objects by index', async () => {
    cluster.put('a', { owner: '1' })
    cluster.put('b', { owner: '2' })
    await start({ indexes: { owner: ({ metadata }) => Object.values(metadata.labels ?? {}) } })
    cluster.put('a', { owner: '2' })
    await clock.settle()
    expect(informer.cache.byIndex('owner', '1')).to.deep.equal([])
    expect(informer.cache.byIndex('owner', '2').map(({ metadata }) => metadata.name)).to.have.members(['a', 'b'])
  })

  describe('resumes at its last version', () => {
    for (const { name, error, asks = [] } of [
      { name: 'after a broken connection, when the server has not gone back', error: NO_ANSWER, asks: ['list'] },
      { name: 'after 500', error: new ApiError(500, 'InternalError', 'etcd') },
      { name: 'after an orderly end', error: undefined },
    ]) {
      it(name, async () => {
        cluster.put('a')
        await start()
        cluster.put('b')
        await clock.settle()
        cluster.endStreams(error)
        await clock.settle()
        cluster.put('c')
        await clock.advance(2000)
        expect(cluster.calls).to.deep.equal(['stream list', ...asks, 'watch 102'])
        expect(events).to.deep.equal(['added a', 'added b', 'added c'])
        expect(informer.live).to.equal(true)
      })
    }

    it('which a bookmark moves on', async () => {
      await start()
      cluster.version = 500
      cluster.bookmark()
      await clock.advance(40_000)
      cluster.endStreams()
      await clock.settle()
      expect(cluster.calls.at(-1)).to.equal('watch 500')
    })

    it('at once after a long life, later and later after short ones', async () => {
      await start()
      await clock.advance(31_000)
      cluster.endStreams()
      await clock.settle()
      expect(cluster.openStreams).to.equal(1)
      cluster.refusals.push(NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER)
      cluster.endStreams(NO_ANSWER)
      const delays: number[] = []
      for (let failure = 0; failure < 8; failure++) {
        await clock.settle()
        const delay = clock.nextIn ?? 0
        delays.push(delay)
        await clock.advance(delay)
      }
      expect(delays).to.deep.equal([1200, 2400, 4800, 9600, 19_200, 22_500, 22_500, 22_500])
    })

    it('not before the server wants it', async () => {
      await start()
      cluster.refusals.push(new ApiError(429, 'TooManyRequests', 'slow down', { retryAfterSeconds: 25 }))
      cluster.endStreams(NO_ANSWER)
      await clock.advance(2000)
      const { length } = cluster.calls
      await clock.advance(22_000)
      expect(cluster.calls.length).to.equal(length)
      await clock.advance(3000)
      expect(informer.live).to.equal(true)
    })
  })

  describe('lists again', () => {
    const expiries = ['http', 'event'] as const
    for (const expiry of expiries) {
      it(`when its version has expired, said as ${expiry}`, async () => {
        cluster.put('a')
        cluster.expiry = expiry
        await start()
        cluster.freezeStreams()
        cluster.remove('a')
        cluster.put('b')
        cluster.compact()
        await clock.advance(100_000)
        expect(relists).to.deep.equal(['first', 'expired'])
        expect(names()).to.deep.equal(['b'])
      })
    }

    it('at once when its version has expired during a long outage', async () => {
      await start()
      cluster.refusals.push(...Array.from({ length: 6 }, () => NO_ANSWER))
      cluster.endStreams(NO_ANSWER)
      cluster.put('a')
      cluster.compact()
      cluster.version++
      cluster.compact()
      while (cluster.refusals.length > 0) await clock.advance(1000)
      await clock.advance(22_500 + 1200)
      expect(relists).to.deep.equal(['first', 'expired'])
    })

    it('when streams stay empty for ever', async () => {
      cluster.put('a')
      cluster.expiry = 'empty'
      await start()
      cluster.freezeStreams()
      cluster.remove('a')
      cluster.compact()
      await clock.advance(120_000)
      expect(relists).to.deep.equal(['first', 'fruitless'])
      expect(names()).to.deep.equal([])
    })

    it('when the server is behind its version for good', async () => {
      await start()
      const details = { causes: [{ reason: 'ResourceVersionTooLarge' }] }
      const tooLarge = new ApiError(504, 'Timeout', 'Too large', { status: { details } })
      cluster.refusals.push(tooLarge)
      cluster.endStreams(NO_ANSWER)
      await clock.advance(10_000)
      expect(relists).to.deep.equal(['first', 'tooLargeVersion'])
    })

    it('when a watch delivers an unknown object with an older version', async () => {
      cluster.put('a')
      await start()
      const late: KubeObject = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'default', name: 'ghost', uid: 'old', resourceVersion: '50' },
      }
      cluster.inject({ type: 'ADDED', object: late })
      await clock.advance(10_000)
      expect(relists).to.deep.equal(['first', 'outOfOrder'])
      expect(events).to.deep.equal(['added a'])
    })

    it('when the same unknown error comes again and again', async () => {
      await start()
      for (let count = 0; count < 4; count++) {
        cluster.inject({ type: 'ERROR', status: { code: 500, message: 'etcd event received with PrevKv=nil' } })
        await clock.advance(10_000)
      }
      expect(relists).to.deep.equal(['first', 'fruitless'])
      expect(informer.live).to.equal(true)
    })

    it('not for a server that repeats a page, which it takes for no list at all', async () => {
      cluster.withoutWatchList = true
      const list = cluster.list.bind(cluster)
      let repeats = true
      cluster.list = async (gvk) => ({ ...(await list(gvk)), ...(repeats && { continue: 'again' }) })
      await start()
      expect([informer.isSynced, (informer.lastError as Error).message]).to.deep.equal([
        false,
        'cannot list: the server repeats a page',
      ])
      repeats = false
      cluster.put('a')
      await clock.advance(5000)
      expect([informer.isSynced, names()]).to.deep.equal([true, ['a']])
    })

    for (const { asked, waited } of [
      { asked: 25, waited: 25 },
      { asked: 86_400, waited: 60 },
    ]) {
      it(`not before the server wants it: after ${waited} s, when the event that ends the watch says ${asked}`, async () => {
        await start()
        const details = { retryAfterSeconds: asked }
        cluster.inject({ type: 'ERROR', status: { code: 429, reason: 'TooManyRequests', message: 'slow', details } })
        await clock.advance(waited * 1000 - 1000)
        expect(cluster.calls).to.deep.equal(['stream list'])
        await clock.advance(1000)
        expect(cluster.calls).to.deep.equal(['stream list', 'watch 100'])
      })
    }

    it('all at once after the pages of a list have expired between two of them', async () => {
      cluster.withoutWatchList = true
      for (let count = 0; count < 600; count++) cluster.put(`n${count}`)
      const list = cluster.list.bind(cluster)
      cluster.list = async (gvk, options) => {
        const page = await list(gvk, options)
        if (options?.limit !== undefined) cluster.put('busy', { at: String(cluster.version) })
        return page
      }
      await start()
      await clock.advance(5000)
      expect(cluster.calls).to.deep.equal(['stream list', 'list', 'page', 'list all', 'watch 701'])
      expect(informer.cache.size).to.equal(601)
    })

    it('when the server has gone back: a watch from a future version would never show that', async () => {
      const old = cluster.put('old')
      cluster.put('new')
      await start()
      cluster.restore(50, [old])
      await clock.advance(60_000)
      expect(relists).to.deep.equal(['first', 'outOfOrder', 'outOfOrder', 'outOfOrder'])
      expect(names()).to.deep.equal(['old'])
      expect(informer.live).to.equal(true)
    })

    it('does not believe a list that goes back, until it is repeated', async () => {
      const old = cluster.put('old')
      cluster.put('new')
      await start()
      cluster.restore(50, [old])
      informer.relist()
      await clock.advance(1000)
      expect(names(), 'a stale replica must not delete').to.deep.equal(['old', 'new'])
      expect(informer.live).to.equal(false)
      await clock.advance(30_000)
      expect(names(), 'a restored etcd must be believed in the end').to.deep.equal(['old'])
      expect(informer.live).to.equal(true)
    })
  })

  it('keeps trying while the kind is not served, and picks it up when it is', async () => {
    const notServed = new ApiError(404, 'KindNotServed', 'no such kind')
    cluster.refusals.push(...Array.from({ length: 50 }, () => notServed))
    await start()
    await clock.advance(600_000)
    expect([informer.isSynced, informer.live, informer.lastError]).to.deep.equal([false, false, notServed])
    cluster.refusals.length = 0
    cluster.put('a')
    await clock.advance(31_000)
    expect([informer.isSynced, informer.live, names()]).to.deep.equal([true, true, ['a']])
  })

  describe('finds a connection that is dead but not closed', () => {
    it('after a minute and a half without an event or a bookmark', async () => {
      await start()
      cluster.freezeStreams()
      cluster.put('a')
      await clock.advance(89_999)
      expect(events).to.deep.equal([])
      await clock.advance(1)
      expect(events).to.deep.equal(['added a'])
      expect(cluster.calls).to.deep.equal(['stream list', 'list', 'watch 100'])
    })

    it('however long it spoke before', async () => {
      await start()
      await clock.advance(50_000)
      cluster.bookmark()
      await clock.settle()
      cluster.freezeStreams()
      cluster.put('a')
      await clock.advance(90_000)
      expect([informer.live, events]).to.deep.equal([true, ['added a']])
    })

    it('and is blind from the moment in which the server gives no answer', async () => {
      await start()
      cluster.freezeStreams()
      cluster.refusals.push(NO_ANSWER)
      await clock.advance(90_500)
      expect([informer.live, informer.blindFor]).to.deep.equal([false, 500])
      await clock.advance(2_000)
      expect(informer.live).to.equal(true)
    })

    it('and has been live all the time if only bookmarks were missing', async () => {
      const warnings: string[] = []
      await start({ logger: { ...nopLogger, warn: (message) => void warnings.push(message) } })
      let blind = 0
      for (let second = 0; second < 600; second++) {
        await clock.advance(1_000)
        if (!informer.live) blind++
      }
      expect([blind, warnings, informer.lastError, relists]).to.deep.equal([0, [], undefined, ['first']])
    })

    it('and finds that the server has gone back, which the silence may mean', async () => {
      const old = cluster.put('old')
      cluster.put('new')
      await start()
      cluster.freezeStreams()
      cluster.restore(50, [old])
      await clock.advance(150_000)
      expect([names(), informer.live]).to.deep.equal([['old'], true])
    })
  })

  describe('asks the server for watches', () => {
    for (const { random, seconds } of [
      { random: 0, seconds: 300 },
      { random: 0.5, seconds: 450 },
      { random: 0.999, seconds: 599 },
    ]) {
      it(`of ${seconds} s, by a throw of ${random}`, async () => {
        const watches = watchesOf(cluster)
        await start({ random: () => random })
        cluster.endStreams()
        await clock.advance(30_000)
        expect(watches.map(({ timeoutSeconds }) => timeoutSeconds)).to.deep.equal([undefined, seconds])
      })
    }

    it('without a limit while they stream a list, which a limit would begin anew each time', async () => {
      const watches = watchesOf(cluster)
      await start()
      expect(watches.map(({ sendInitialEvents, timeoutSeconds }) => [sendInitialEvents, timeoutSeconds])).to.deep.equal(
        [[true, undefined]],
      )
    })
  })

  describe('compares its cache with the server', () => {
    const HOUR = 3_600_000

    it('about every six hours, and does nothing if they are equal', async () => {
      cluster.put('a')
      beLikeAServer(cluster, clock)
      await start()
      await clock.advance(5.9 * HOUR)
      expect(checks()).to.deep.equal([])
      await clock.advance(0.2 * HOUR)
      expect([checks(), relists]).to.deep.equal([['list at 101'], ['first']])
      await clock.advance(6 * HOUR)
      expect(checks()).to.have.length(2)
    })

    for (const { random, hours } of [
      { random: 0, hours: 3 },
      { random: 0.999, hours: 9 },
    ]) {
      it(`after ${hours} hours, by a throw of ${random}`, async () => {
        beLikeAServer(cluster, clock)
        await start({ random: () => random })
        await clock.advance((hours - 0.1) * HOUR)
        expect(checks()).to.deep.equal([])
        await clock.advance(0.1 * HOUR)
        expect(checks()).to.have.length(1)
      })
    }

    it('and lists again, in pages, if something was lost; it names what differs', async () => {
      const warnings: unknown[] = []
      for (const name of ['gone', 'stale', 'kept']) cluster.put(name)
      beLikeAServer(cluster, clock)
      await start({ logger: { ...nopLogger, warn: (_message, fields) => void warnings.push(fields) } })
      changeUnseen(cluster)
      await clock.advance(6.1 * HOUR)
      expect(relists).to.deep.equal(['first', 'inconsistent'])
      expect(cluster.calls).to.include('list')
      expect(names()).to.have.members(['stale', 'kept', 'new'])
      expect(warnings).to.deep.equal([
        { watch: 'v1 ConfigMap', objects: 3, first: 'default/stale, default/new, default/gone' },
      ])
    })

    it('not at a version that the server has dropped, which it tries again later', async () => {
      cluster.put('a')
      beLikeAServer(cluster, clock)
      await start()
      cluster.objects.clear()
      const list = cluster.list.bind(cluster)
      cluster.list = async () => {
        cluster.list = list
        throw new ApiError(410, 'Expired', 'too old resource version')
      }
      await clock.advance(6.1 * HOUR)
      expect([relists, names()]).to.deep.equal([['first'], ['a']])
      await clock.advance(6 * HOUR)
      expect([checks(), relists, names()]).to.deep.equal([['list at 101'], ['first', 'inconsistent'], []])
    })

    it('never with a period of 0', async () => {
      cluster.put('a')
      beLikeAServer(cluster, clock)
      await start({ cacheCheckPeriod: 0 })
      cluster.objects.clear()
      await clock.advance(24 * HOUR)
      expect([checks(), relists, names()]).to.deep.equal([[], ['first'], ['a']])
    })

    const checks = (): string[] => cluster.calls.filter((call) => call.startsWith('list at'))
  })

  it('takes bookmarks for a sign of life', async () => {
    await start()
    for (let count = 0; count < 5; count++) {
      await clock.advance(50_000)
      cluster.bookmark()
    }
    expect(cluster.calls).to.deep.equal(['stream list'])
  })

  it('says since when it is blind', async () => {
    const warnings: string[] = []
    const logger: Logger = { ...nopLogger, warn: (message) => warnings.push(message) }
    await start({ logger })
    expect(informer.blindFor).to.equal(0)
    cluster.refusals.push(NO_ANSWER, NO_ANSWER)
    cluster.endStreams(NO_ANSWER)
    await clock.advance(1000)
    expect([informer.live, informer.blindFor, warnings.length]).to.deep.equal([false, 1000, 1])
    await clock.advance(10_000)
    expect([informer.live, informer.blindFor, warnings.length]).to.deep.equal([true, 0, 1])
  })

  it('says that an object is gone when the watch shows the end of a later one of that name', async () => {
    cluster.put('a')
    await start()
    const later = { namespace: 'default', name: 'a', uid: 'later', resourceVersion: '200' }
    cluster.version = 200
    cluster.inject({ type: 'DELETED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: later } })
    const seen: (string | undefined)[] = []
    informer.subscribe(({ type, object }) => {
      if (type === 'deleted') seen.push(object.metadata.uid)
    })
    await clock.settle()
    expect([names(), seen]).to.deep.equal([[], ['uid-1']])
    cluster.objects.clear()
  })

  it('emits the creation and the deletion of an object whose creation the watch has lost', async () => {
    await start()
    const metadata = { namespace: 'default', name: 'a', uid: 'u', resourceVersion: '200' }
    const seen: (string | undefined)[] = []
    informer.subscribe(({ type, object }) => void seen.push(`${type} ${object.metadata.name}`))
    cluster.version = 200
    cluster.inject({ type: 'DELETED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } })
    cluster.inject({ type: 'DELETED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } })
    await clock.settle()
    expect([names(), seen]).to.deep.equal([[], ['added a', 'deleted a']])
  })

  it('drops doubled events', async () => {
    await start()
    const object = cluster.put('a')
    cluster.inject({ type: 'ADDED', object })
    cluster.inject({ type: 'MODIFIED', object })
    cluster.bookmark(object.metadata.resourceVersion ? Number(object.metadata.resourceVersion) : 0)
    cluster.inject({ type: 'MODIFIED', object })
    await clock.settle()
    expect(events).to.deep.equal(['added a'])
    expect(relists).to.deep.equal(['first'])
  })

  long.it('ends up equal to the server, and its events with it, whatever the network and the server do', async () => {
    await fc.assert(fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), convergesAfter), { numRuns: 300 })
  })
})

/** The watches that are requested of a cluster from now on. */
function watchesOf(cluster: FakeCluster): WatchOptions[] {
  const watches: WatchOptions[] = []
  const watch = cluster.watch.bind(cluster)
  cluster.watch = (gvk, options) => {
    watches.push(options)
    return watch(gvk, options)
  }
  return watches
}

/** Removes an object, changes another and makes a third. No watch shows it. */
function changeUnseen({ objects }: FakeCluster): void {
  const changed = (name: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name, uid: name, resourceVersion: '99' },
  })
  objects.delete('default/gone')
  for (const name of ['stale', 'new']) objects.set(`default/${name}`, changed(name))
}

type Step =
  | { readonly do: 'put' | 'remove'; readonly name: string }
  | { readonly do: 'advance'; readonly by: number }
  | { readonly do: 'refuse'; readonly code: number }
  | { readonly do: 'expire'; readonly how: 'http' | 'event' | 'empty' }
  | { readonly do: 'bookmark' | 'end' | 'break' | 'freeze' | 'compact' | 'relist' | 'replay' | 'error' | 'junk' }

const anyName = fc.constantFrom('a', 'b', 'c')
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('put' as const, 'remove' as const), name: anyName }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom(1, 1000, 5000, 80_000) }),
  },
  fc.record({ do: fc.constant('refuse' as const), code: fc.constantFrom(0, 403, 404, 410, 422, 429, 500, 504) }),
  fc.record({
    do: fc.constant('expire' as const),
    how: fc.constantFrom('http' as const, 'event' as const, 'empty' as const),
  }),
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'bookmark' as const,
        'end' as const,
        'break' as const,
        'freeze' as const,
        'compact' as const,
        'relist' as const,
        'replay' as const,
        'error' as const,
        'junk' as const,
      ),
    }),
  },
)

async function convergesAfter(steps: readonly Step[]): Promise<void> {
  const cluster = new FakeCluster()
  const clock = new FakeClock()
  const stop = new AbortController()
  const informer = new Informer({ gvk: CONFIG_MAP }, { client: cluster, clock, logger: nopLogger, random: () => 0.5 })
  const mirror = new Map<string, KubeObject>()
  informer.subscribe((event) => follow(mirror, event))
  const stopped = informer.start(stop.signal)
  const history: KubeObject[] = []
  for (const step of steps) {
    play(step, cluster, informer, history)
    if (step.do === 'advance') await clock.advance(step.by)
    else await clock.settle()
  }
  cluster.refusals.length = 0
  await clock.advance(200_000)
  cluster.put('last')
  await clock.settle()
  const wanted = Object.fromEntries(cluster.objects)
  expect(Object.fromEntries(informer.cache.list().map((object) => [formatKey(keyOf(object)), object]))).to.deep.equal(
    wanted,
  )
  expect(Object.fromEntries(mirror)).to.deep.equal(wanted)
  expect(informer.live).to.equal(true)
  stop.abort()
  await stopped
  expect(clock.pending).to.equal(0)
}

function play(step: Step, cluster: FakeCluster, informer: Informer, history: KubeObject[]): void {
  switch (step.do) {
    case 'put':
      history.push(cluster.put(step.name, { at: String(cluster.version) }))
      break
    case 'remove':
      cluster.remove(step.name)
      break
    case 'refuse':
      cluster.refusals.push(new ApiError(step.code, 'Any', 'refused'))
      break
    case 'expire':
      cluster.expiry = step.how
      break
    case 'bookmark':
      cluster.bookmark()
      break
    case 'end':
      cluster.endStreams()
      break
    case 'break':
      cluster.endStreams(NO_ANSWER)
      break
    case 'freeze':
      cluster.freezeStreams()
      break
    case 'compact':
      cluster.compact()
      break
    case 'relist':
      informer.relist()
      break
    case 'replay':
      for (const object of history) cluster.inject({ type: 'MODIFIED', object })
      break
    case 'error':
      cluster.inject({ type: 'ERROR', status: { code: 500, reason: 'InternalError' } })
      break
    case 'junk':
      cluster.inject({
        type: 'DELETED',
        object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'unknown' } },
      })
      break
  }
}

/** Events must be applicable one after the other: no add of what is there, no update or delete of what is not. */
function follow(mirror: Map<string, KubeObject>, event: CacheEvent): void {
  const key = formatKey(keyOf(event.object))
  const known = mirror.get(key)
  if (event.type === 'added') {
    expect(known).to.equal(undefined)
    mirror.set(key, event.object)
  } else if (event.type === 'updated') {
    expect(known).to.equal(event.old)
    expect(event.old.metadata.uid).to.equal(event.object.metadata.uid)
    mirror.set(key, event.object)
  } else {
    expect(known?.metadata.uid).to.equal(event.object.metadata.uid)
    mirror.delete(key)
  }
}
