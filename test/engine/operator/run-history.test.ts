import { expect } from 'chai'
import { RunHistory } from '../../../src/engine/operator/run-history.ts'
import type { RunReport, RunTrace } from '../../../src/engine/reconcile/trace/run-trace.ts'
import type { Request } from '../../../src/engine/runtime/reconciler.ts'

const request = (name: string): Request => ({ group: 'example.com', kind: 'Widget', namespace: 'default', name })

function trace(at: number, tasks = 1): RunTrace {
  const objects = [{ object: 'Deployment default/web-application', did: 'unchanged' }] as const
  return {
    at: new Date(at).toISOString(),
    milliseconds: 2.5,
    uid: '4be7a2e1-0475-4cb6-bc3d-2e9d2e9348a5',
    generation: 2,
    role: 'widget',
    woken: [
      { kind: 'changed', object: 'Deployment default/web-application', how: 'updated', resourceVersion: '12345' },
    ],
    outcome: 'complete',
    ready: 'Ready: the cluster is as the role says',
    tasks: Array.from({ length: tasks }, () => ({
      name: 'Application',
      outcome: 'unchanged',
      milliseconds: 0.4,
      objects,
    })),
    requests: { apply: 1 },
  }
}

function report(name: string, at: number, more: Partial<RunReport> = {}): RunReport {
  const report = { request: request(name), changed: false, wroteStatus: false, outcome: 'complete', at } as const
  return { ...report, trace: trace(at), ...more }
}

const timesOf = (history: RunHistory, name: string): readonly number[] =>
  (history.of(request(name))?.runs ?? []).map(({ at }) => Date.parse(at))

describe('RunHistory', () => {
  it('keeps the last runs of a resource, the latest first', () => {
    const history = new RunHistory({ perResource: 3 })
    for (const at of [1, 2, 3, 4, 5]) history.record(report('a', at))
    expect(timesOf(history, 'a')).to.deep.equal([5, 4, 3])
    expect(history.of(request('b'))).to.equal(undefined)
  })

  it('counts the runs that were skipped since the last one, and stores none of them', () => {
    const history = new RunHistory()
    history.record(report('a', 1))
    const { bytes } = history
    for (const at of [2, 3]) history.record(report('a', at, { outcome: 'skipped', trace: undefined }))
    history.record(report('unknown', 2, { outcome: 'skipped', trace: undefined }))
    expect(history.of(request('a'))).to.include({ skipped: 2, skippedAt: 3 })
    expect(history.bytes).to.equal(bytes)
    history.record(report('a', 4))
    expect(history.of(request('a'))).to.include({ skipped: 0, skippedAt: undefined })
  })

  it('stores nothing of a report without a trace', () => {
    const history = new RunHistory()
    history.record(report('a', 1, { trace: undefined }))
    expect(history.of(request('a'))).to.equal(undefined)
  })

  it('forgets a resource that is gone', () => {
    const history = new RunHistory()
    for (const at of [1, 2]) history.record(report('a', at))
    history.record(report('a', 3, { outcome: 'gone', trace: undefined }))
    history.record(report('never seen', 3, { outcome: 'gone', trace: undefined }))
    expect(history.of(request('a'))).to.equal(undefined)
    expect(history.bytes).to.equal(0)
  })

  it('lets the oldest runs go when all of them take too much, and last runs only when there are no others', () => {
    const one = new RunHistory()
    one.record(report('a', 1))
    const history = new RunHistory({ bytes: one.bytes * 4 })
    for (const [name, at] of [
      ['a', 1],
      ['a', 2],
      ['b', 3],
      ['b', 4],
      ['c', 5],
    ] as const)
      history.record(report(name, at))
    expect([timesOf(history, 'a'), timesOf(history, 'b'), timesOf(history, 'c')]).to.deep.equal([[2], [4, 3], [5]])
    for (const [name, at] of [
      ['d', 6],
      ['e', 7],
    ] as const)
      history.record(report(name, at))
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => timesOf(history, name))).to.deep.equal([[], [4], [5], [6], [7]])
    expect(history.bytes).to.be.at.most(one.bytes * 4)
  })

  it('keeps nothing where there is room for nothing', () => {
    const history = new RunHistory({ bytes: 1 })
    history.record(report('a', 1))
    expect([history.of(request('a')), history.bytes]).to.deep.equal([undefined, 0])
  })

  it('counts texts with letters from beyond Latin twice', () => {
    const [latin, greek] = ['a', 'α'].map((letter) => {
      const history = new RunHistory()
      history.record(report('a', 1, { trace: { ...trace(1), role: letter } }))
      return history.bytes
    })
    expect(greek).to.be.above((latin as number) * 1.2)
  })

  it('takes no more than its limit, however many resources there are', () => {
    const history = new RunHistory({ bytes: 100_000 })
    for (let at = 0; at < 2_000; at++) history.record(report(`r${at % 500}`, at))
    expect(history.bytes).to.be.within(90_000, 100_000)
    expect(timesOf(history, 'r499')).to.deep.equal([1999])
  })
})
