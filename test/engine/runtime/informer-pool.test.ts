import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { InformerPool } from '../../../src/engine/runtime/informer-pool.ts'
import { formatSpec } from '../../../src/engine/runtime/informer-spec.ts'
import { OwnWrites } from '../../../src/engine/runtime/own-writes.ts'
import { CONFIG_MAP, FakeCluster } from '../../support/fake-cluster.ts'
import { untilSynced } from '../../support/until-synced.ts'

describe('InformerPool', () => {
  let cluster: FakeCluster
  let clock: FakeClock
  let pool: InformerPool
  beforeEach(() => {
    cluster = new FakeCluster()
    clock = new FakeClock()
    pool = new InformerPool({ newReader: () => cluster, clock, logger: nopLogger, ownWrites: new OwnWrites({ clock }) })
  })
  afterEach(async () => {
    await pool.stop()
    expect([clock.pending, cluster.openStreams]).to.deep.equal([0, 0])
  })
  const spec = { gvk: CONFIG_MAP }

  it('shares one informer among all who want the same', async () => {
    const first = pool.acquire(spec, 'a')
    const second = pool.acquire({ gvk: { ...CONFIG_MAP }, namespace: '', labelSelector: '', metadataOnly: false }, 'b')
    expect(second).to.equal(first)
    await untilSynced(first)
    expect(cluster.calls).to.deep.equal(['stream list'])
  })

  for (const other of [{ namespace: 'x' }, { labelSelector: 'a=b' }, { metadataOnly: true }]) {
    it(`keeps apart what differs: ${JSON.stringify(other)}`, () => {
      expect(pool.acquire({ ...spec, ...other }, 'a')).to.not.equal(pool.acquire(spec, 'a'))
      expect([...pool.informers()].length).to.equal(2)
    })
  }

  it('stops an informer when its last holder lets go, and starts a new one later', async () => {
    const first = pool.acquire(spec, 'a')
    pool.acquire(spec, 'a')
    pool.acquire(spec, 'b')
    await untilSynced(first)
    pool.release(spec, 'a')
    pool.release(spec, 'unknown')
    await clock.settle()
    expect(cluster.openStreams).to.equal(1)
    pool.releaseAll('b')
    pool.release(spec, 'b')
    await clock.settle()
    expect([cluster.openStreams, first.live]).to.deep.equal([0, false])
    expect(pool.acquire(spec, 'c')).to.not.equal(first)
  })

  it('says what an informer is about', () => {
    expect(formatSpec(spec)).to.equal('v1 ConfigMap')
    const full = { ...spec, namespace: 'x', labelSelector: 'a=b', metadataOnly: true }
    expect(formatSpec(full)).to.equal('v1 ConfigMap in x with a=b (metadata)')
  })
})
