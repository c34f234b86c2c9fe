import { expect } from 'chai'
import type { RunReport, RunTrace } from '../../../src/engine/reconcile/trace/run-trace.ts'
import type { TaskOutcome } from '../../../src/engine/role/task-outcome.ts'
import { runEnd, type Thrown, taskEnd } from '../../../src/rolebook/telemetry/run-span.ts'

const REQUEST = { group: 'example.com', kind: 'Widget', namespace: 'shop', name: 'web' }
const TRACE: RunTrace = {
  ...{ at: '2026-01-01T00:00:00Z', milliseconds: 5, uid: 'u', generation: 2, role: 'widget', outcome: 'failed' },
  ...{ woken: [{ kind: 'edited', fields: ['spec.size'] }], ready: 'Failed: no', tasks: [], requests: {} },
}
const reportOf = (more: Partial<RunReport>): RunReport => ({
  ...{ request: REQUEST, at: 0, outcome: 'complete', changed: true, wroteStatus: true },
  ...more,
})

describe('the span of a run', () => {
  const ends: readonly {
    readonly name: string
    readonly report?: RunReport
    readonly thrown?: Thrown
    readonly result: string
    readonly error?: string
  }[] = [
    { name: 'a complete one', report: reportOf({ trace: TRACE }), result: 'complete' },
    {
      name: 'one that has failed',
      report: reportOf({ outcome: 'failed', trace: TRACE }),
      result: 'failed',
      error: 'Failed: no',
    },
    {
      name: 'one that has failed before it was judged',
      report: reportOf({ outcome: 'failed' }),
      result: 'failed',
      error: 'the run has failed',
    },
    { name: 'one that was put off', result: 'postponed' },
    { name: 'one that has thrown', thrown: { thrown: new Error('a defect') }, result: 'failed', error: 'a defect' },
  ]
  for (const { name, report, thrown, result, error } of ends) {
    it(`says what came of it: ${name}`, () => {
      const end = runEnd(REQUEST, report, thrown)
      expect(end.attributes).to.include({ 'rolebook.run.result': result, 'rolebook.resource.name': 'web' })
      expect(end.error).to.equal(error)
    })
  }

  it('says what woke it: an edit with its fields, and another object', () => {
    const woken = [...TRACE.woken, { kind: 'changed', object: 'Deployment default/web' } as const]
    const { attributes } = runEnd(REQUEST, reportOf({ trace: { ...TRACE, woken } }), undefined)
    expect(attributes['rolebook.run.woken_by']).to.deep.equal(['edited spec.size', 'changed Deployment default/web'])
  })
})

describe('the span of a task', () => {
  const TASK = { name: 'Database', kind: 'ensure', item: 1 }
  const ends: readonly {
    readonly name: string
    readonly ended: TaskOutcome | Thrown
    readonly says: Readonly<Record<string, string>>
    readonly error?: string
  }[] = [
    { name: 'what it has done', ended: { kind: 'changed' }, says: { outcome: 'changed' } },
    {
      name: 'what it waits for',
      ended: { kind: 'waiting', reason: 'Deployment web is not ready' },
      says: { outcome: 'waiting', waits_for: 'Deployment web is not ready' },
    },
    {
      name: 'why it has failed',
      ended: { kind: 'failed', reason: 'Forbidden', error: new Error('may not create Pods'), retriable: false },
      says: { outcome: 'failed' },
      error: 'Forbidden: may not create Pods',
    },
    {
      name: 'that it was given up',
      ended: { thrown: new Error('aborted') },
      says: { outcome: 'given up' },
      error: 'aborted',
    },
  ]
  for (const { name, ended, says, error } of ends) {
    it(`says ${name}`, () => {
      const end = taskEnd(TASK, ended)
      const about = { name: 'Database', kind: 'ensure', item: 1, ...says }
      const expected = Object.entries(about).map(([key, value]) => [`rolebook.task.${key}`, value])
      expect(end.attributes).to.deep.equal(Object.fromEntries(expected))
      expect(end.error).to.equal(error)
    })
  }
})
