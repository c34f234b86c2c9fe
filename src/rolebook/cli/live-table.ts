import { stripVTControlCharacters, styleText } from 'node:util'
import Table from 'cli-table3'
import { printableText } from '../../core/base/printable-text.ts'

/** What a row of the live view says about one resource. */
export interface ResourceRow {
  /** `Memcached default/memcached-sample`. */
  readonly resource: string
  readonly ready: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  /** Unknown before a run got so far. */
  readonly children: number | undefined
  /** When something about it last changed, for people: `12:01:33`. */
  readonly changed: string
}

/** Prints the rows as a table, as wide as the screen. */
export function printTable(rows: readonly ResourceRow[], options: { color: boolean; columns: number }): string {
  const table = new Table({
    head: ['RESOURCE', 'READY', 'REASON', 'CHILDREN', 'CHANGED', 'MESSAGE'],
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  })
  for (const row of rows) table.push(cellsOf(row, options.color))
  return table
    .toString()
    .split('\n')
    .map((line) => cut(line.trimEnd(), options.columns))
    .join('\n')
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle'].flatMap((name) =>
    ['', '-mid', '-left', '-right'].map((suffix) => [`${name}${suffix}`, '']),
  ),
)

function cellsOf(row: ResourceRow, color: boolean): string[] {
  const ready = color
    ? styleText(row.ready === 'True' ? 'green' : 'yellow', row.ready, { validateStream: false })
    : row.ready
  return [
    printableText(row.resource),
    ready,
    printableText(row.reason),
    String(row.children ?? ''),
    row.changed,
    printableText(row.message),
  ]
}

function cut(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line)
  return plain.length <= columns ? line : `${plain.slice(0, columns - 1)}…`
}
