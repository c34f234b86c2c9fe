import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { type KubeObject, keyOf } from '../../../src/core/kube/object.ts'
import { Informer } from '../../../src/engine/runtime/informer.ts'
import type { InformerSpec } from '../../../src/engine/runtime/informer-spec.ts'
import { OwnWrites } from '../../../src/engine/runtime/own-writes.ts'
import { CONFIG_MAP, FakeCluster } from '../../support/fake-cluster.ts'

const KEY = { namespace: 'default', name: 'a' }

describe('OwnWrites', () => {
  let cluster: FakeCluster
  let clock: FakeClock
  let stop: AbortController
  let running: Promise<void>[]
  let informer: Informer
  let ownWrites: OwnWrites
  beforeEach(async () => {
    cluster = new FakeCluster()
    clock = new FakeClock()
    stop = new AbortController()
    running = []
    ownWrites = new OwnWrites({ clock })
    cluster.put('before')
    informer = await follow()
    cluster.freezeStreams()
  })
  afterEach(async () => {
    stop.abort()
    await Promise.all(running)
  })

  async function follow(spec: Partial<InformerSpec> = {}): Promise<Informer> {
    const created = new Informer({ gvk: CONFIG_MAP, ...spec }, { client: cluster, clock, logger: nopLogger })
    ownWrites.attach(created)
    running.push(created.start(stop.signal))
    await clock.settle()
    return created
  }
  const write = (name: string, data?: Record<string, string>): KubeObject => {
    const object = cluster.put(name, data)
    ownWrites.record(CONFIG_MAP, object)
    return object
  }
  /** The frozen watch counts as broken after 90 s of silence, and the next one delivers. */
  const deliver = (): Promise<void> => clock.advance(100_000)
  const names = (): (string | undefined)[] => ownWrites.list(informer).map(({ metadata }) => metadata.name)

  it('shows a create before the watch delivers it, and nothing of its own afterwards', async () => {
    const created = write('a')
    expect(informer.cache.get(KEY)).to.equal(undefined)
    expect(ownWrites.read(informer, KEY)).to.equal(created)
    expect(names()).to.deep.equal(['before', 'a'])
    await deliver()
    expect(ownWrites.size).to.equal(0)
    expect(names()).to.deep.equal(['before', 'a'])
  })

  it('shows what the cache has of a kind that was never written', () => {
    expect(names()).to.deep.equal(['before'])
    expect(ownWrites.read(informer, KEY)).to.equal(undefined)
  })

  it('shows a change in the place of what it changed', () => {
    const changed = write('before', { new: 'yes' })
    expect(ownWrites.read(informer, keyOf(changed))).to.equal(changed)
    expect(ownWrites.list(informer)).to.deep.equal([changed])
  })

  it('shows the cache once that is newer, whichever client wrote it', async () => {
    write('a')
    const newer = cluster.put('a', { by: 'somebody' })
    await deliver()
    expect(ownWrites.read(informer, KEY)).to.deep.equal(newer)
  })

  it('shows what a list has brought while the rest of the list is still on its way', async () => {
    write('before', { new: 'yes' })
    write('z')
    const newer = cluster.put('before', { by: 'somebody' })
    const made = cluster.put('z', { by: 'somebody' })
    const seen: unknown[] = []
    informer.subscribe(({ object }) => seen.push(ownWrites.read(informer, keyOf(object))))
    seen.length = 0
    informer.relist()
    await clock.advance(10_000)
    expect(seen).to.deep.equal([newer, made])
  })

  it('keeps the newer of two own writes', () => {
    const first = cluster.put('a')
    const second = write('a', { newer: 'yes' })
    ownWrites.record(CONFIG_MAP, first)
    expect(ownWrites.read(informer, KEY)).to.equal(second)
  })

  it('hides what it deleted, also when the watch knows nothing of it yet, but not what comes after', async () => {
    const created = write('a')
    cluster.remove('a')
    ownWrites.recordDeletion(CONFIG_MAP, KEY, created.metadata.uid)
    expect(ownWrites.read(informer, KEY)).to.equal(undefined)
    expect(names()).to.deep.equal(['before'])
    expect(await ownWrites.caughtUp(informer, KEY, 0)).to.equal(false)
    const recreated = cluster.put('a')
    await deliver()
    expect(ownWrites.read(informer, KEY)).to.deep.equal(recreated)
    expect(ownWrites.size).to.equal(0)
  })

  it('shows what has taken the place of what it deleted while the rest of a list is still on its way', async () => {
    const written = write('before', { new: 'yes' })
    cluster.remove('before')
    ownWrites.recordDeletion(CONFIG_MAP, keyOf(written), written.metadata.uid)
    const anew = cluster.put('before', { by: 'somebody' })
    const seen: unknown[] = []
    informer.subscribe(({ type, object }) => {
      if (type === 'added') seen.push(ownWrites.read(informer, keyOf(object)))
    })
    seen.length = 0
    informer.relist()
    await clock.advance(10_000)
    expect(seen).to.deep.equal([anew])
  })

  describe('says that an object is gone', () => {
    let gone: string[]
    const listen = (): void => {
      gone = []
      informer.subscribe(({ type, object }) => {
        if (type === 'deleted') gone.push(String(object.metadata.name))
      })
    }

    it('that was made and removed between two lists, so that no watch has shown it', async () => {
      listen()
      write('a')
      cluster.remove('a')
      cluster.compact()
      await deliver()
      expect(informer.cache.resourceVersion).to.equal(String(cluster.version))
      expect([gone, ownWrites.size]).to.deep.equal([['a'], 0])
    })

    it('once, where a watch shows its end', async () => {
      listen()
      write('a')
      cluster.remove('a')
      await deliver()
      expect(gone).to.deep.equal(['a'])
    })

    const there = [
      { name: 'that a list shows', act: () => undefined },
      { name: 'that another one has taken the place of', act: () => [cluster.remove('a'), cluster.put('a')] },
    ]
    for (const { name, act } of there) {
      it(`but of none ${name}`, async () => {
        listen()
        write('a')
        act()
        cluster.compact()
        await deliver()
        expect(gone).to.deep.equal([])
      })
    }

    it('but of none that the informer does not select', async () => {
      stop.abort()
      stop = new AbortController()
      informer = await follow({ labelSelector: 'of=others' })
      cluster.freezeStreams()
      listen()
      write('a')
      cluster.remove('a')
      cluster.compact()
      await deliver()
      expect(gone).to.deep.equal([])
    })
  })

  it('hides a deleted object that the cache still has', async () => {
    const object = cluster.remove('before')
    ownWrites.recordDeletion(CONFIG_MAP, keyOf(object!), object!.metadata.uid)
    expect(names()).to.deep.equal([])
    await deliver()
    expect([names().length, ownWrites.size]).to.deep.equal([0, 0])
  })

  it('does not show in the place of what it deleted what stood there before', async () => {
    cluster.remove('before')
    const recreated = write('before')
    cluster.remove('before')
    ownWrites.recordDeletion(CONFIG_MAP, keyOf(recreated), recreated.metadata.uid)
    expect(informer.cache.get(keyOf(recreated))).to.be.an('object')
    expect([ownWrites.read(informer, keyOf(recreated)), names()]).to.deep.equal([undefined, []])
    await deliver()
    expect([names(), ownWrites.size]).to.deep.equal([[], 0])
  })

  it('filters like the cache', () => {
    write('a', { app: 'web' })
    write('b', { app: 'db' })
    const labels = (found: Record<string, string> | undefined): boolean => found?.app === 'web'
    expect(ownWrites.list(informer, { labels }).map(({ metadata }) => metadata.name)).to.deep.equal(['a'])
    expect(ownWrites.list(informer, { namespace: 'other' })).to.deep.equal([])
  })

  it('shows nothing that the watch would not select', async () => {
    const narrow = await follow({ labelSelector: 'app=web' })
    const elsewhere = await follow({ namespace: 'other' })
    cluster.freezeStreams()
    write('a', { app: 'db' })
    const selected = write('b', { app: 'web' })
    expect(ownWrites.read(narrow, KEY)).to.equal(undefined)
    expect(ownWrites.read(narrow, { ...KEY, name: 'b' })).to.equal(selected)
    expect(ownWrites.read(elsewhere, { ...KEY, name: 'b' })).to.equal(undefined)
  })

  describe('caughtUp', () => {
    it('is true at once for what we did not write, or what the cache has', async () => {
      expect(await ownWrites.caughtUp(informer, KEY, 0)).to.equal(true)
      write('a')
      await deliver()
      expect(await ownWrites.caughtUp(informer, KEY, 0)).to.equal(true)
    })

    it('waits until the cache has reached the write', async () => {
      informer.relist()
      await clock.settle()
      const before = cluster.openStreams
      const created: KubeObject = { ...cluster.put('late'), metadata: { ...KEY, uid: 'u', resourceVersion: '999' } }
      ownWrites.record(CONFIG_MAP, created)
      const caughtUp = ownWrites.caughtUp(informer, KEY, 5000)
      await clock.advance(100)
      cluster.bookmark(999)
      expect(await caughtUp).to.equal(true)
      expect(cluster.openStreams).to.equal(before)
    })

    it('gives up after its time, with no timer left', async () => {
      write('a')
      const pending = clock.pending
      const caughtUp = ownWrites.caughtUp(informer, KEY, 5000)
      await clock.advance(5000)
      expect(await caughtUp).to.equal(false)
      expect(clock.pending).to.equal(pending)
    })
  })

  it('compares opaque versions only for equality', () => {
    const object: KubeObject = { ...cluster.put('a'), metadata: { ...KEY, uid: 'u', resourceVersion: 'opaque' } }
    ownWrites.record(CONFIG_MAP, object)
    expect(ownWrites.read(informer, KEY)).to.equal(object)
    informer.cache.put({ ...object })
    expect(ownWrites.read(informer, KEY)).to.not.equal(object)
  })

  it('forgets after its lifetime what was never answered, and not before', async () => {
    const [early, late] = [cluster.put('early'), cluster.put('late')]
    ownWrites.recordSent(CONFIG_MAP, early)
    await clock.advance(60_000)
    ownWrites.recordSent(CONFIG_MAP, late)
    await clock.advance(540_000)
    write('other')
    expect([early, late].map((object) => ownWrites.isUnanswered(CONFIG_MAP, object))).to.deep.equal([false, true])
  })

  it('forgets after its lifetime what no watch delivers', async () => {
    const secret = { group: '', kind: 'Secret' }
    for (let count = 0; count < 10; count++)
      ownWrites.record(secret, { ...cluster.put('x'), metadata: { name: `${count}` } })
    expect(ownWrites.size).to.equal(10)
    await clock.advance(660_000)
    ownWrites.record(secret, { ...cluster.put('x'), metadata: { name: 'last' } })
    expect(ownWrites.size).to.equal(1)
  })
})
