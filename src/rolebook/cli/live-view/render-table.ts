import { printableText } from '../../../core/base/printable-text.ts'
import { formatKey } from '../../../core/kube/object.ts'
import { paint } from '../paint.ts'
import type { ListLine } from './resource-list.ts'
import { nameOfRow, type ResourceRow, timeOfDay } from './resource-row.ts'
import { cut, padTo, widthOf } from './text-width.ts'

export interface TableOptions {
  readonly columns: number
  readonly color: boolean
  readonly isGrouped: boolean
  /** The first line of the list to draw, and how many. */
  readonly window: { readonly from: number; readonly count: number }
  /** The place of the selected line in the list. */
  readonly selected: number
}

/** Columns in which a message says something. */
const LEAST_MESSAGE = 20
const GAP = 2
const MARK = 2

/** A heading and the lines of the list that the window shows. */
export function renderTable(lines: readonly ListLine[], options: TableOptions): readonly string[] {
  const { window, columns, color, selected } = options
  const table = layOut(lines, options)
  const heading = paint(
    cut(`  ${printCells(table, ({ title, width }) => padTo(title, width))}`, columns),
    'bold',
    color,
  )
  const shown = lines.slice(window.from, window.from + window.count).map((line, index) => {
    if (line.kind === 'group') return printGroup(line, options)
    return printRow(line.row, table, { ...options, isSelected: window.from + index === selected })
  })
  return [heading, ...shown]
}

interface Column {
  readonly title: string
  text(row: ResourceRow): string
}

type ColumnName = keyof ReturnType<typeof columnsOf>

function columnsOf(isGrouped: boolean) {
  const nameOf = (row: ResourceRow): string => (isGrouped ? `  ${formatKey(row.request)}` : nameOfRow(row))
  return {
    resource: { title: 'RESOURCE', text: (row) => printableText(nameOf(row)) },
    ready: { title: 'READY', text: ({ ready }) => ready },
    reason: { title: 'REASON', text: ({ reason }) => printableText(reason) },
    children: { title: 'CHILDREN', text: ({ children }) => String(children ?? '') },
    changed: { title: 'CHANGED', text: ({ changed }) => timeOfDay(changed) },
    message: { title: 'MESSAGE', text: ({ message }) => printableText(message) },
  } as const satisfies Record<string, Column>
}

/** What is shown, from the widest screen to the narrowest. The whole message stands below the list in any case. */
const CHOICES: readonly (readonly ColumnName[])[] = [
  ['resource', 'ready', 'reason', 'children', 'changed', 'message'],
  ['resource', 'ready', 'reason', 'children', 'message'],
  ['resource', 'ready', 'reason', 'message'],
  ['resource', 'ready', 'message'],
  ['resource', 'ready', 'reason'],
]
const NARROWEST: readonly ColumnName[] = ['resource', 'ready']

interface Cell extends Column {
  readonly name: ColumnName
  readonly width: number
}

/** The columns that have room: the last one takes what is left, or the first one if there is no message. */
function layOut(lines: readonly ListLine[], { columns, isGrouped }: TableOptions): readonly Cell[] {
  const all = columnsOf(isGrouped)
  const rows = lines.flatMap((line) => (line.kind === 'resource' ? [line.row] : []))
  const natural = (name: ColumnName): number =>
    rows.reduce((width, row) => Math.max(width, widthOf(all[name].text(row))), all[name].title.length)
  const widths = Object.fromEntries(Object.keys(all).map((name) => [name, natural(name as ColumnName)]))
  const least = (name: ColumnName): number => Math.min(widths[name] ?? 0, name === 'message' ? LEAST_MESSAGE : Infinity)
  const room = columns - MARK
  const taken = (names: readonly ColumnName[]): number => names.reduce((sum, name) => sum + least(name) + GAP, -GAP)
  const names = CHOICES.find((choice) => taken(choice) <= room) ?? NARROWEST
  const unused = room - taken(names)
  return names.map((name) => {
    const grows = name === 'message' || (unused < 0 && name === 'resource')
    return { ...all[name], name, width: Math.max(1, least(name) + (grows ? unused : 0)) }
  })
}

function printCells(table: readonly Cell[], textOf: (cell: Cell) => string): string {
  return table.map(textOf).join(' '.repeat(GAP))
}

function printRow(
  row: ResourceRow,
  table: readonly Cell[],
  { color, columns, isSelected }: TableOptions & { readonly isSelected: boolean },
): string {
  const shownIn = (cell: Cell): string => padTo(cell.text(row), cell.width)
  if (isSelected) return paint(padTo(`> ${printCells(table, shownIn)}`, columns), 'inverse', color)
  const readiness = row.ready === 'True' ? 'green' : 'yellow'
  const painted = (cell: Cell): string => paint(shownIn(cell), readiness, color && cell.name === 'ready')
  return `  ${printCells(table, painted)}`.trimEnd()
}

function printGroup({ title, total }: ListLine & { kind: 'group' }, { columns, color }: TableOptions): string {
  return paint(cut(`  ${printableText(title)}  Ready ${total.ready} of ${total.all}`, columns), 'bold', color)
}
