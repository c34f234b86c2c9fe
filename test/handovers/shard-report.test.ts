import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { shardOf } from '../../src/engine/runtime/sharding/shard-of.ts'
import { EditWaits } from './edit-waits.ts'
import { ShardHistory } from './shard-history.ts'
import type { ShardIncident } from './shard-incidents.ts'
import { judge, printShardReport, type ShardVerdict } from './shard-report.ts'

const NAMESPACE = 'x'
const COUNT = 2
const TIMINGS = { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 400 }
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/x/leases'
const shardOfParcel = (name: string): number => shardOf({ namespace: NAMESPACE, name }, COUNT)
/** A parcel in shard 0. */
const PARCEL = Array.from({ length: 10 }, (_, place) => `p${place}`).find((name) => shardOfParcel(name) === 0) ?? ''

describe('The report on shards', () => {
  let now: number
  let shards: ShardHistory
  let waits: EditWaits
  beforeEach(() => {
    now = 1_000
    shards = new ShardHistory(COUNT, NAMESPACE)
    waits = new EditWaits(() => now)
    note('a', `${LEASES}/rolebook-shard-0`, 1, 'a_1')
    edit(1)
  })

  function note(by: string, path: string, version: number, holder = ''): void {
    const body = JSON.stringify({ metadata: { resourceVersion: String(version) }, spec: { holderIdentity: holder } })
    shards.note(by, { method: 'PATCH', path, status: 200, body, arrivedAt: performance.now() })
  }

  function see(kind: string, name: string, value: number): void {
    const content = { value: String(value) }
    const object = kind === 'Parcel' ? { status: content } : { data: content }
    waits.see({ apiVersion: 'v1', kind, metadata: { name }, ...object } as KubeObject)
  }

  /** An edit that is done after `milliseconds`. */
  function edit(value: number, milliseconds = 10): void {
    waits.noteEdit(PARCEL, value)
    now += milliseconds
    see('ConfigMap', `${PARCEL}-first`, value)
    see('ConfigMap', `${PARCEL}-second`, value)
    see('Parcel', PARCEL, value)
  }

  const verdict = (since = 0, done: readonly ShardIncident[] = []): ShardVerdict =>
    judge({ shards, waits }, { timings: TIMINGS, since, done })

  /** So many stops at a write; after the last one, a process whose shard another one holds writes, and begins with `first`. */
  function stops(count: number, first: string): readonly ShardIncident[] {
    const stop = {
      ending: 'stopped at a write, and resumed after another one works',
      shards: 1,
      toLeases: 3_000,
    } as const
    const done = Array.from({ length: count }, (_, index): ShardIncident => ({ ...stop, struckAt: index }))
    const written = `/api/v1/namespaces/x/configmaps/${PARCEL}-first`
    note('b', `${LEASES}/rolebook-shard-0`, 2, 'b_1')
    note('a', written, 3)
    const firstAfterStop = { what: `PATCH ${first === 'written' ? written : first}`, at: performance.now() }
    return [...done.slice(1), { ...stop, struckAt: count, firstAfterStop }]
  }

  it('is content with one writer for each shard, and edits that are done at once', () => {
    note('a', `/api/v1/namespaces/x/configmaps/${PARCEL}-first`, 2)
    expect(verdict()).to.include({ isProven: true, edits: 1, longest: 10, ordinary: 10, bound: 3_420 })
  })

  it('sees a write by a process whose shard another one holds', () => {
    note('b', `${LEASES}/rolebook-shard-0`, 2, 'b_1')
    note('a', `/api/v1/namespaces/x/configmaps/${PARCEL}-first`, 3)
    const { isProven, stale, late } = verdict()
    expect([isProven, stale.length, late.length]).to.deep.equal([false, 1, 1])
  })

  it('knows the one write that a stopped process may have under way', () => {
    const { isProven, stale, late, underWay } = verdict(0, stops(20, 'written'))
    expect([isProven, stale.length, late.length, underWay.length]).to.deep.equal([true, 0, 0, 1])
  })

  it('takes no later write of a stopped process for that one', () => {
    const { isProven, stale, late, underWay } = verdict(0, stops(10, '/api/v1/namespaces/x/configmaps/other'))
    expect([isProven, stale.length, late.length, underWay.length]).to.deep.equal([false, 1, 1, 0])
  })

  it('does not believe that more than one stop in twenty hits a write under way', () => {
    const { isProven, underWay } = verdict(0, [...stops(19, 'written'), ...stops(19, 'written')])
    expect([isProven, underWay.length]).to.deep.equal([false, 2])
  })

  it('takes the lease of another shard for no excuse', () => {
    note('b', `${LEASES}/rolebook-shard-1`, 2, 'b_1')
    note('b', `/api/v1/namespaces/x/configmaps/${PARCEL}-first`, 3)
    expect(verdict().stale.map(({ by }) => by)).to.deep.equal(['b'])
  })

  it('sees an edit that waited longer than a handover may take, and when that began', () => {
    for (let value = 2; value < 300; value++) edit(value)
    edit(300, 3_430)
    const incident = { ending: 'killed at a write', struckAt: 3_000, shards: 1, toLeases: 3_000 } as const
    const seen = verdict()
    expect([seen.isProven, seen.leftOut.length, seen.bound]).to.deep.equal([false, 1, 3_420])
    expect(printShardReport(seen, [incident])).to.contain(
      `LEFT OUT: ${PARCEL} for 3430 ms since 990 ms after incident 1 (killed at a write)`,
    )
  })

  it('finds an edit that is never done, and one that is only done in part', () => {
    for (let value = 2; value < 300; value++) edit(value)
    waits.noteEdit(PARCEL, 300)
    see('ConfigMap', `${PARCEL}-first`, 300)
    see('Parcel', PARCEL, 300)
    now += 10_000
    expect(verdict().leftOut).to.have.length(1)
    see('ConfigMap', `${PARCEL}-second`, 300)
    expect(verdict().leftOut).to.have.length(1)
  })

  it('answers an earlier edit with a later value', () => {
    waits.noteEdit(PARCEL, 2)
    edit(3)
    expect(verdict()).to.include({ edits: 3, longest: 10 })
  })

  it('proves nothing without edits, and leaves out those of before its start', () => {
    expect(verdict(5_000)).to.include({ isProven: false, edits: 0 })
  })
})
