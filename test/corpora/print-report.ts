import type { Difference } from './differences.ts'
import type { Report } from './run-corpora.ts'

export function printReport({ counts, found, reasons }: Report): string {
  const rows = [...counts].map(([name, count]) => [
    name,
    count.documents,
    count.unserved,
    count.pairs,
    count.equal,
    count.explained,
    count.unexplained,
  ])
  const sums = rows.reduce(
    (sum, row) => row.map((cell, index) => (index === 0 ? 'all' : Number(sum[index] ?? 0) + Number(cell))),
    [],
  )
  const head = ['corpus', 'documents', 'unserved', 'pairs', 'equal', 'explained', 'unexplained']
  const table = [head, ...rows, sums].map((row) =>
    row.map((cell, index) => (index === 0 ? String(cell).padEnd(18) : String(cell).padStart(12))).join(''),
  )
  const lines = [...reasons].map(([reason, times]) => `  ${times} × ${reason}`)
  return `${found.map(printDifference).join('\n')}\n${table.join('\n')}\n${lines.join('\n')}\n`
}

export function printDifference({ document, step, class: kind, real, sandbox }: Difference): string {
  const { corpus, place, object } = document
  return [
    `=== ${kind} · ${object.kind} · ${step.name} · ${corpus} ${place}`,
    `  ${step.request.method} ${step.request.path}`,
    ...differentParts(real, sandbox),
  ].join('\n')
}

function differentParts(real: unknown, sandbox: unknown, path = ''): readonly string[] {
  if (JSON.stringify(real) === JSON.stringify(sandbox)) return []
  if (isMap(real) && isMap(sandbox)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(sandbox)])]
    return keys.flatMap((key) => differentParts(real[key], sandbox[key], `${path}.${key}`))
  }
  const text = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 500)
  return [`  ${path}`, `    real    ${text(real)}`, `    sandbox ${text(sandbox)}`]
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
