import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ALERTS } from '../../bin/reference/monitoring/alerts.ts'
import { METRICS } from '../../src/engine/runtime/metric-table.ts'

interface Metric {
  readonly type: string
  readonly labels: readonly string[]
}

const metrics: Readonly<Record<string, Metric>> = METRICS
/** Labels that Prometheus adds, and that of buckets. */
const ADDED = new Set(['namespace', 'job', 'pod', 'le'])

/** The names of series in a text, as the operator has them. */
const seriesIn = (text: string): readonly string[] => [...new Set(text.match(/\brolebook_\w+/g))]

function metricOf(series: string): Metric | undefined {
  const histogram = metrics[series.replace(/_(bucket|sum|count)$/, '')]
  return histogram?.type === 'histogram' ? histogram : metrics[series]
}

/** Labels that an expression names, in selectors and after `by`. */
function labelsIn(expression: string): readonly string[] {
  const selected = [...expression.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label)
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  return [...selected, ...grouped].filter((label) => !ADDED.has(label))
}

function faultsOf(expression: string): readonly string[] {
  const series = seriesIn(expression)
  const unknown = series.filter((name) => metricOf(name) === undefined)
  const labels = new Set(series.flatMap((name) => metricOf(name)?.labels ?? []))
  return [...unknown, ...labelsIn(expression).filter((label) => series.length > 0 && !labels.has(label))]
}

describe('the files for monitoring', () => {
  const dashboard = readFileSync('docs/monitoring/dashboard.json', 'utf8')
  const panels = (JSON.parse(dashboard) as { panels: readonly { targets?: readonly { expr: string }[] }[] }).panels
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  it('have only metrics of the operator, with labels that these have', () => {
    const expressions = [...ALERTS.map(({ expr }) => expr), ...queries]
    expect(expressions.length).to.be.greaterThan(20)
    expect(expressions.flatMap((expr) => faultsOf(expr).map((fault) => `${fault} in ${expr}`))).to.deep.equal([])
  })

  it('are refused with a metric or a label that the operator does not have', () => {
    expect(faultsOf('sum by (kind) (rolebook_leadr)')).to.deep.equal(['rolebook_leadr', 'kind'])
    expect(faultsOf('rate(rolebook_reconcile_total{reason="x"}[5m])')).to.deep.equal(['reason'])
  })

  it('have an alert, or a query, for what the page on metrics says is worth one', () => {
    const page = readFileSync('docs/metrics.md', 'utf8')
    const worth = seriesIn(page.split('Worth an alert:')[1]?.split('\n## ')[0] ?? '')
    expect(worth.length).to.be.greaterThan(4)
    const alerted = new Set(ALERTS.flatMap(({ expr }) => seriesIn(expr)))
    expect(worth.filter((name) => !alerted.has(name))).to.deep.equal([])
  })

  it('lead to sections of the page on troubleshooting', () => {
    const page = readFileSync('docs/troubleshooting.md', 'utf8')
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    )
    expect(headings).to.include.members(ALERTS.map(({ section }) => section))
  })
})
