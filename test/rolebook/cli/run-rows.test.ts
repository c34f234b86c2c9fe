import { expect } from 'chai'
import type { RunReport, RunTrace } from '../../../src/engine/reconcile/trace/run-trace.ts'
import type { Request } from '../../../src/engine/runtime/reconciler.ts'
import type { ResourceRow } from '../../../src/rolebook/cli/live-view/resource-row.ts'
import { showRun } from '../../../src/rolebook/cli/run-rows.ts'

const REPORT: RunReport = {
  request: { group: 'example.com', kind: 'Note', namespace: 'default', name: 'a' },
  outcome: 'complete',
  changed: true,
  wroteStatus: true,
  at: Date.UTC(2026, 0, 1, 12, 1, 33),
}
const ROW: ResourceRow = {
  request: REPORT.request,
  ready: 'Unknown',
  reason: '',
  message: '',
  children: undefined,
  changed: REPORT.at,
}
const ready = (status: 'True' | 'False' | 'Unknown', message?: string): Partial<RunReport> => ({
  ready: { type: 'Ready', status, reason: 'Because', ...(message !== undefined && { message }) },
})

const trace: RunTrace = {
  at: '2026-01-01T12:01:33Z',
  milliseconds: 1,
  uid: 'u',
  role: 'note',
  woken: [],
  outcome: 'failed',
  tasks: [
    { name: 'A', outcome: 'changed', objects: [{ object: 'ConfigMap default/a', did: 'created' }] },
    { name: 'B', outcome: 'failed', objects: [{ object: 'ConfigMap default/b', did: 'missing' }] },
  ],
  requests: {},
}

describe('showRun', () => {
  const cases: { name: string; report: Partial<RunReport>; shown: (ResourceRow | Request)[] }[] = [
    { name: 'a run that judged nothing', report: {}, shown: [ROW] },
    {
      name: 'a resource that is ready, whose message says nothing new',
      report: { ...ready('True', 'all is well'), children: 2 },
      shown: [{ ...ROW, ready: 'True', reason: 'Because', children: 2 }],
    },
    {
      name: 'one that is not',
      report: ready('False', 'no pods'),
      shown: [{ ...ROW, ready: 'False', reason: 'Because', message: 'no pods' }],
    },
    { name: 'one whose readiness is unknown', report: ready('Unknown'), shown: [{ ...ROW, reason: 'Because' }] },
    {
      name: 'a run that failed, without the objects that were refused',
      report: { ...ready('False'), outcome: 'failed', children: 2, trace },
      shown: [{ ...ROW, ready: 'False', reason: 'Because', children: 1 }],
    },
    {
      name: 'a run that failed with more tasks than its trace has',
      report: { ...ready('False'), outcome: 'failed', children: 2, trace: { ...trace, more: 1 } },
      shown: [{ ...ROW, ready: 'False', reason: 'Because', children: 2 }],
    },
    { name: 'one that is gone', report: { outcome: 'gone' }, shown: [REPORT.request] },
    { name: 'a run that was skipped', report: { outcome: 'skipped' }, shown: [] },
  ]
  for (const { name, report, shown } of cases) {
    it(name, () => {
      const seen: (ResourceRow | Request)[] = []
      const view = {
        show: (row: ResourceRow) => void seen.push(row),
        remove: (resource: Request) => void seen.push(resource),
      }
      showRun(view, { ...REPORT, ...report })
      expect(seen).to.deep.equal(shown)
    })
  }
})
