import { METRICS, type MetricDefinition } from '../../src/engine/runtime/metric-table.ts'

/** The table of `docs/metrics.md`. */
export function metricTable(): string {
  const rows = Object.entries<MetricDefinition>(METRICS).map(([name, { type, labels, help }]) => {
    const names = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${names} | ${help} |\n`
  })
  return `| Metric | Type | Labels | Meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`
}
