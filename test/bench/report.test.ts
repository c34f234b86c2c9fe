import { expect } from 'chai'
import { GO, ROLEBOOK } from '../../bench/cluster/contestants.ts'
import type { Phase, PhaseResult } from '../../bench/cluster/phases.ts'
import { growthReports, reportsOf, requestTable, type Table, toMarkdown, toText } from '../../bench/cluster/report.ts'
import type { RequestCount } from '../../bench/cluster/server-metrics.ts'
import { withFigures } from '../../bench/cluster/write-figures.ts'

const WORKLOAD = { resources: 1000, kinds: 1, objects: 3 }

function result(contestant: string, phase: Phase, more: Partial<PhaseResult> = {}): PhaseResult {
  const memory = { before: 30, after: 40, peak: 50 }
  const figures = { seconds: 1, cpuSeconds: 2, serverCpuSeconds: 6, memory, requests: [], repairs: [] }
  return { contestant, phase, ...figures, ...more }
}

const requests: readonly RequestCount[] = [
  { verb: 'APPLY', resource: 'configmaps', code: '201', count: 3000 },
  { verb: 'PATCH', resource: 'widgets.bench.rolebook.dev/status', code: '200', count: 1000 },
  { verb: 'LIST', resource: 'secrets', code: '200', count: 20 },
  { verb: 'POST', resource: 'events', code: '201', count: 1000 },
  { verb: 'PUT', resource: 'leases.coordination.k8s.io', code: '200', count: 9 },
]

/** The cell of a row and a column, wherever the tables have it. */
function cell(tables: readonly Table[], row: string, column: string): readonly (string | undefined)[] {
  return tables.map((table) => table.find(([name]) => name === row)?.[table[0]?.indexOf(column) ?? -1])
}

describe('the report of the benchmark', () => {
  const results = [
    ...[9, 7, 8].map((seconds) => result(ROLEBOOK, 'burst', { seconds, requests })),
    ...[4, 5, 2].map((seconds) => result(GO, 'burst', { seconds })),
    result(ROLEBOOK, 'repair', {
      repairs: [4, 3, 9],
      requests: [{ verb: 'APPLY', resource: 'configmaps', code: '201', count: 3 }],
    }),
    result(ROLEBOOK, 'restart', { requests: [{ verb: 'LIST', resource: 'secrets', code: '200', count: 2 }] }),
  ]
  const tables = reportsOf(results, WORKLOAD).map(({ table }) => table)

  it('has medians, and how many times as long as in Go they are', () => {
    expect(cell(tables, ROLEBOOK, 'burst')).to.deep.equal(['8.0 (2.00)', '4.00 + 0.02 + 1.00', '2.00 (6.0)'])
    expect(cell(tables, GO, 'burst')[0]).to.equal('4.0 (1.00)')
  })

  it('divides the requests of repairs by their number, and those of a restart by nothing', () => {
    expect(cell(tables, ROLEBOOK, 'a repair')[1]).to.equal('1.00 + 0.00 + 0.00')
    expect(cell(tables, ROLEBOOK, 'restart, in all')[1]).to.equal('0 + 2 + 0')
  })

  it('has percentiles of all repairs', () => {
    expect(cell(tables, ROLEBOOK, 'repair p50 ms')[0]).to.equal('4.0')
    expect(cell(tables, ROLEBOOK, 'repair p99 ms')[0]).to.equal('9.0')
  })

  it('has a dash for what was not measured', () => {
    expect(cell(tables, GO, 'repair p50 ms')[0]).to.equal('–')
    expect(cell(tables, GO, 'restart, in all')[1]).to.equal('–')
  })

  it('shows each kind of request for those who look for one too many', () => {
    expect(requestTable(results, ROLEBOOK)).to.deep.include(['burst', 'POST', 'events', '201', '1000'])
  })
})

describe('the comparison of two numbers of resources', () => {
  const fewer = {
    workload: WORKLOAD,
    results: [6, 4, 5].map((seconds) => result(ROLEBOOK, 'burst', { seconds, cpuSeconds: 4, serverCpuSeconds: 8 })),
  }
  const more = {
    workload: { ...WORKLOAD, resources: 10_000 },
    results: [result(ROLEBOOK, 'burst', { seconds: 60, cpuSeconds: 20, serverCpuSeconds: 80 })],
  }
  const tables = growthReports(fewer, more).map(({ table }) => table)

  it('has what one resource takes in both, and how many times as much the second is', () => {
    const [seconds, cpu, serverCpu] = ['5.0 → 6.0 (1.20)', '4.0 → 2.0 (0.50)', '8.0 → 8.0 (1.00)']
    expect(cell(tables, ROLEBOOK, 'burst')).to.deep.equal([seconds, cpu, serverCpu])
  })

  it('has a dash for what was measured with one number only', () => {
    expect(cell(tables, ROLEBOOK, 'update of all')).to.deep.equal(['–', '–', '–'])
  })
})

describe('a table', () => {
  const table = [
    ['', 'seconds'],
    ['rolebook', '8.0'],
  ]

  it('is text with columns', () => expect(toText(table)).to.equal('          seconds\nrolebook  8.0'))

  it('is Markdown', () => expect(toMarkdown(table)).to.equal('|  | seconds |\n| --- | --- |\n| rolebook | 8.0 |'))
})

describe('figures in a page', () => {
  const page =
    'before\n<!-- figures: a -->\nold\n<!-- end of figures -->\n<!-- figures: b -->\n<!-- end of figures -->\n'

  it('take the place of former ones', () => {
    const written =
      'before\n<!-- figures: a -->\nnew\n<!-- end of figures -->\n<!-- figures: b -->\n<!-- end of figures -->\n'
    expect(withFigures(page, 'a', 'new')).to.equal(written)
  })

  it('need a place', () => expect(() => withFigures(page, 'c', 'new')).to.throw('"<!-- figures: c -->"'))
})
