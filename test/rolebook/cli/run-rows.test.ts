import { expect } from 'chai'
import type { RunReport } from '../../../src/engine/reconcile/trace/run-trace.ts'
import type { ResourceRow } from '../../../src/rolebook/cli/live-table.ts'
import { showRun } from '../../../src/rolebook/cli/run-rows.ts'

const REPORT: RunReport = {
  request: { group: 'example.com', kind: 'Note', namespace: 'default', name: 'a' },
  outcome: 'complete',
  changed: true,
  wroteStatus: true,
  at: Date.UTC(2026, 0, 1, 12, 1, 33),
}
const ROW: ResourceRow = {
  resource: 'Note default/a',
  ready: 'Unknown',
  reason: '',
  message: '',
  children: undefined,
  changed: '12:01:33',
}
const ready = (status: 'True' | 'False' | 'Unknown', message?: string): Partial<RunReport> => ({
  ready: { type: 'Ready', status, reason: 'Because', ...(message !== undefined && { message }) },
})

describe('showRun', () => {
  const cases: { name: string; report: Partial<RunReport>; shown: (ResourceRow | string)[] }[] = [
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
    { name: 'one of which nobody knows', report: ready('Unknown'), shown: [{ ...ROW, reason: 'Because' }] },
    { name: 'one that is gone', report: { outcome: 'gone' }, shown: ['Note default/a'] },
    { name: 'a run that was skipped', report: { outcome: 'skipped' }, shown: [] },
  ]
  for (const { name, report, shown } of cases) {
    it(name, () => {
      const seen: (ResourceRow | string)[] = []
      const view = {
        show: (row: ResourceRow) => void seen.push(row),
        remove: (resource: string) => void seen.push(resource),
        say: () => undefined,
        showProblem: () => undefined,
        stop: () => undefined,
      }
      showRun(view, { ...REPORT, ...report })
      expect(seen).to.deep.equal(shown)
    })
  }
})
