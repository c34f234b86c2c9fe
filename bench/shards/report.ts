import type { Table } from '../cluster/report.ts'
import type { ProcessUsage, ShardMeasurement } from './measure.ts'

/** A row for each figure, a column for each measurement, and in brackets the ratio to the first one. */
export function shardTable(measured: readonly ShardMeasurement[], resources: number): Table {
  const [first] = measured
  if (!first) return []
  const row = (name: string, digits: number, figure: (one: ShardMeasurement) => number): readonly string[] => [
    name,
    ...measured.map((one) => cell(figure(one), { of: figure(first), digits, isFirst: one === first })),
  ]
  return [
    ['', ...measured.map(({ processes }) => (processes === 1 ? '1 process' : `${processes} processes`))],
    row('seconds until all is done', 1, ({ seconds }) => seconds),
    row('CPU s, all processes together', 1, ({ each }) => sumOf(each, 'cpuSeconds')),
    row('CPU s, the busiest process', 1, ({ each }) => mostOf(each, 'cpuSeconds')),
    row('CPU s, server', 1, ({ serverCpuSeconds }) => serverCpuSeconds),
    row('peak RSS MiB, the largest process', 0, ({ each }) => mostOf(each, 'peak')),
    row('RSS MiB at rest, the largest process', 0, ({ each }) => mostOf(each, 'after')),
    row('RSS MiB at rest, all processes together', 0, ({ each }) => sumOf(each, 'after')),
    row('writes a resource', 2, ({ requests }) => (requests.writes ?? 0) / resources),
    row('reads', 0, ({ requests }) => requests.reads ?? 0),
    row('Events a resource', 2, ({ requests }) => (requests.Events ?? 0) / resources),
    row('requests for Leases a second', 2, ({ requests, countedSeconds }) => leasesIn(requests) / countedSeconds),
  ]
}

function cell(figure: number, { of, digits, isFirst }: { of: number; digits: number; isFirst: boolean }): string {
  const text = figure.toFixed(digits)
  return isFirst || of === 0 ? text : `${text} (${(figure / of).toFixed(2)})`
}

function sumOf(each: readonly ProcessUsage[], which: keyof ProcessUsage): number {
  return each.reduce((sum, usage) => sum + usage[which], 0)
}

function mostOf(each: readonly ProcessUsage[], which: keyof ProcessUsage): number {
  return Math.max(...each.map((usage) => usage[which]))
}

function leasesIn(requests: ShardMeasurement['requests']): number {
  return (requests['reads of Leases'] ?? 0) + (requests['writes of Leases'] ?? 0)
}
