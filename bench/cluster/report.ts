import { median, percentile } from '../statistics.ts'
import { GO } from './contestants.ts'
import type { Phase, PhaseResult } from './phases.ts'
import { isEventWrite, isRead, isWrite, type RequestCount, sumOf } from './server-metrics.ts'
import type { Workload } from './workload.ts'

/** Rows of cells; the first row is the head. */
export type Table = readonly (readonly string[])[]

const NONE = '–'
/** The phases that touch every resource. */
const GROWING = ['cold start', 'burst', 'update'] as const

export interface Report {
  readonly title: string
  readonly table: Table
}

/** Medians of all rounds. */
export function reportsOf(results: readonly PhaseResult[], workload: Workload): readonly Report[] {
  const names = [...new Set(results.map(({ contestant }) => contestant))]
  const rows = (cellsOf: (figures: Figures) => readonly string[]): Table =>
    names.map((name) => [name, ...cellsOf(new Figures(results, name, workload))])
  return [
    {
      title: 'Seconds (in brackets: how many times as long as create-or-update in Go)',
      table: [
        ['', 'cold start', 'burst', 'update of all', 'restart until quiet', 'repair p50 ms', 'repair p99 ms'],
        ...rows((figures) => [
          figures.seconds('cold start'),
          figures.seconds('burst'),
          figures.seconds('update'),
          figures.seconds('restart'),
          figures.repair(50),
          figures.repair(99),
        ]),
      ],
    },
    {
      title: 'Requests a resource, as the API server counts them: writes + reads + Events',
      table: [
        ['', 'cold start', 'burst', 'update of all', 'restart, in all', 'a repair'],
        ...rows((figures) => [
          figures.requests('cold start'),
          figures.requests('burst'),
          figures.requests('update'),
          figures.requests('restart'),
          figures.requests('repair'),
        ]),
      ],
    },
    {
      title: 'What it takes: CPU in ms a resource of the process and, in brackets, of the API server; memory in MiB',
      table: [
        [
          '',
          'cold start',
          'burst',
          'update of all',
          'restart, CPU s',
          'RSS at start',
          'after burst',
          'peak, burst',
          'peak, cold start',
        ],
        ...rows((figures) => [
          figures.cpu('cold start'),
          figures.cpu('burst'),
          figures.cpu('update'),
          figures.restartCpu(),
          figures.memory('burst', 'before'),
          figures.memory('burst', 'after'),
          figures.memory('burst', 'peak'),
          figures.memory('cold start', 'peak'),
        ]),
      ],
    },
  ]
}

/** What contestants did with one number of resources. */
export interface Measured {
  readonly workload: Workload
  readonly results: readonly PhaseResult[]
}

/** What one resource takes of fewer resources and of more, and how many times as much that is: 1.00 is flat. */
export function growthReports(fewer: Measured, more: Measured): readonly Report[] {
  const names = [...new Set(fewer.results.map(({ contestant }) => contestant))]
  const table = (read: (result: PhaseResult) => number): Table => [
    ['', 'cold start', 'burst', 'update of all'],
    ...names.map((name) => [
      name,
      ...GROWING.map((phase) => growth(figuresOf(fewer, name), figuresOf(more, name), phase, read)),
    ]),
  ]
  return [
    { title: 'Seconds for 1,000 resources', table: table(({ seconds }) => seconds) },
    { title: 'CPU in ms a resource, of the process', table: table(({ cpuSeconds }) => cpuSeconds) },
    { title: 'CPU in ms a resource, of the API server', table: table(({ serverCpuSeconds }) => serverCpuSeconds) },
  ]
}

/** `5.8 → 6.1 (1.05)`. */
function growth(fewer: Figures, more: Figures, phase: Phase, read: (result: PhaseResult) => number): string {
  const [few, many] = [fewer.ofThousand(phase, read), more.ofThousand(phase, read)]
  if (few === undefined || many === undefined) return NONE
  return `${few.toFixed(1)} → ${many.toFixed(1)} (${(many / few).toFixed(2)})`
}

function figuresOf({ results, workload }: Measured, name: string): Figures {
  return new Figures(results, name, workload)
}

/** Each kind of request of a phase, for those who look for one too many: `4 APPLY configmaps 201`. */
export function requestTable(results: readonly PhaseResult[], contestant: string): Table {
  const rows = results
    .filter((one) => one.contestant === contestant)
    .flatMap(({ phase, requests }) =>
      requests.map(({ verb, resource, code, count }) => ({ key: [phase, verb, resource, code], count })),
    )
  const counts = new Map<string, number[]>()
  for (const { key, count } of rows) {
    const name = key.join('|')
    counts.set(name, [...(counts.get(name) ?? []), count])
  }
  const body = [...counts].map(([name, figures]) => [...name.split('|'), String(median(figures))])
  return [['phase', 'verb', 'resource', 'code', 'requests'], ...body.sort()]
}

/** The median of one contestant in what was measured. */
class Figures {
  readonly #results: readonly PhaseResult[]
  readonly #name: string
  readonly #workload: Workload

  constructor(results: readonly PhaseResult[], name: string, workload: Workload) {
    this.#results = results
    this.#name = name
    this.#workload = workload
  }

  seconds(phase: Phase): string {
    const own = this.#median(phase, ({ seconds }) => seconds)
    const go = this.#median(phase, ({ seconds }) => seconds, GO)
    if (own === undefined) return NONE
    return go === undefined ? own.toFixed(1) : `${own.toFixed(1)} (${(own / go).toFixed(2)})`
  }

  repair(percent: number): string {
    const repaired = this.#results.filter((one) => one.contestant === this.#name && one.phase === 'repair')
    const times = repaired.flatMap(({ repairs }) => repairs)
    return times.length === 0 ? NONE : percentile(times, percent).toFixed(1)
  }

  /** `4.00 + 0.00 + 1.00`. */
  requests(phase: Phase): string {
    const each = (isMeant: (request: RequestCount) => boolean): string | undefined => {
      const count = this.#median(phase, (result) => sumOf(result.requests, isMeant) / this.#units(result))
      return count?.toFixed(phase === 'restart' ? 0 : 2)
    }
    const parts = [each(isWrite), each(isRead), each(isEventWrite)]
    return parts[0] === undefined ? NONE : parts.join(' + ')
  }

  cpu(phase: Phase): string {
    const own = this.ofThousand(phase, ({ cpuSeconds }) => cpuSeconds)
    const server = this.ofThousand(phase, ({ serverCpuSeconds }) => serverCpuSeconds)
    return own === undefined ? NONE : `${own.toFixed(2)} (${server?.toFixed(1)})`
  }

  /** Of seconds: seconds for 1,000 resources, which are milliseconds for one. */
  ofThousand(phase: Phase, read: (result: PhaseResult) => number): number | undefined {
    return this.#median(phase, (result) => (read(result) * 1000) / this.#workload.resources)
  }

  restartCpu(): string {
    return this.#median('restart', ({ cpuSeconds }) => cpuSeconds)?.toFixed(2) ?? NONE
  }

  memory(phase: Phase, which: keyof PhaseResult['memory']): string {
    return this.#median(phase, ({ memory }) => memory[which])?.toFixed(0) ?? NONE
  }

  /** What the requests of a phase are divided by. */
  #units({ phase, repairs }: PhaseResult): number {
    if (phase === 'restart') return 1
    return phase === 'repair' ? repairs.length : this.#workload.resources
  }

  #median(phase: Phase, read: (result: PhaseResult) => number, name = this.#name): number | undefined {
    const results = this.#results.filter((one) => one.contestant === name && one.phase === phase)
    return results.length === 0 ? undefined : median(results.map(read))
  }
}

export function toText(table: Table): string {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function toMarkdown(table: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [head = [], ...rows] = table
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row))].join('\n')
}
