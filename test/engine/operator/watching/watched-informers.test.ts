import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import type { LabelSelector } from '../../../../src/core/kube/label-selector.ts'
import { WatchedInformers, type WatchSource } from '../../../../src/engine/operator/watching/watched-informers.ts'
import type { WatchEntry } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { InformerPool } from '../../../../src/engine/runtime/informer-pool.ts'
import { OwnWrites } from '../../../../src/engine/runtime/own-writes.ts'
import { CONFIG_MAP, FakeCluster } from '../../../support/fake-cluster.ts'

const REQUEST = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'a' }
const BLUE: LabelSelector = { matchLabels: { color: 'blue' } }

interface Case {
  readonly name: string
  readonly selector?: LabelSelector
  readonly namespaces?: readonly string[]
  /** Labels of the resource as its watch has delivered it; absent: it has not. */
  readonly cached?: Record<string, string>
  /** As the server has it. */
  readonly live?: Record<string, string>
  readonly found: 'selected' | 'unselected' | 'expected' | 'gone'
}

const cases: readonly Case[] = [
  { name: 'the cache has it', cached: {}, live: {}, found: 'selected' },
  { name: 'no cache has it, and none can lack it for long', live: {}, found: 'gone' },
  { name: 'its watch has not delivered it yet', selector: BLUE, live: { color: 'blue' }, found: 'expected' },
  { name: 'it is not selected any more', selector: BLUE, live: { color: 'red' }, found: 'unselected' },
  { name: 'neither a cache nor the server has it', selector: BLUE, found: 'gone' },
  { name: 'it is in no namespace that is watched', selector: BLUE, namespaces: ['x'], live: {}, found: 'gone' },
  { name: 'it is in one of them', selector: BLUE, namespaces: ['x', 'default'], live: {}, found: 'unselected' },
]

describe('WatchedInformers', () => {
  let cluster: FakeCluster
  let clock: FakeClock
  let pool: InformerPool
  let watched: WatchedInformers
  beforeEach(() => {
    cluster = new FakeCluster()
    clock = new FakeClock()
    const ownWrites = new OwnWrites({ clock })
    pool = new InformerPool({ newReader: () => cluster, clock, logger: nopLogger, ownWrites })
    const common = { client: cluster, pool, ownWrites, holder: 'h', onEvent: () => undefined }
    watched = new WatchedInformers({ kind: CONFIG_MAP, ...common })
  })
  afterEach(() => pool.stop())

  async function follow({ selector, namespaces }: Pick<Case, 'selector' | 'namespaces'> = {}): Promise<void> {
    const entry = { gvk: CONFIG_MAP } as WatchEntry
    const source: WatchSource = { entry, selector, namespaces, maxConcurrent: 1, watchDependentResources: true }
    watched.follow([source])
    await clock.settle()
    cluster.freezeStreams()
  }

  for (const { name, cached, live, found, ...source } of cases) {
    it(`finds that a resource is ${found}: ${name}`, async () => {
      if (cached) cluster.put('a', cached)
      await follow(source)
      if (live && !cached) cluster.put('a', live)
      expect((await watched.find(REQUEST, new AbortController().signal)).kind).to.equal(found)
    })
  }

  it('finds nothing once it is stopped', async () => {
    cluster.put('a')
    await follow()
    watched.stop()
    expect((await watched.find(REQUEST, new AbortController().signal)).kind).to.equal('gone')
  })

  it('knows the newest of a resource only as long as it is the same one', async () => {
    const { uid = '' } = cluster.put('a').metadata
    await follow()
    const newest = [uid, 'other'].map((one) => watched.latest(REQUEST, one)?.metadata.name)
    expect(newest).to.deep.equal(['a', undefined])
    expect(watched.latest({ ...REQUEST, name: 'b' }, uid)).to.equal(undefined)
  })
})
