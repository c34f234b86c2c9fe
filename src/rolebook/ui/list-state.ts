import { keyOf, type ResourceRow } from './model.ts'

/** Which resources the list shows. */
export type Show = 'all' | 'attention' | 'notReady' | 'deleting'

export const SHOWS: readonly { readonly show: Show; readonly label: string }[] = [
  { show: 'all', label: 'All' },
  { show: 'attention', label: 'Need attention' },
  { show: 'notReady', label: 'Not ready' },
  { show: 'deleting', label: 'Deleting' },
]

export interface ListChoice {
  readonly show: Show
  /** Words that a row has to contain, all of them. */
  readonly search: string
}

export type Counts = Readonly<Record<Show, number>>

/** First those that need a person, then those that are not ready, then by name. It is done once for all choices: it takes longer than they do. */
export function sortedRows(rows: Iterable<ResourceRow>): readonly ResourceRow[] {
  const keyed = Array.from(rows, (row) => ({ row, key: keyOf(row), urgency: urgencyOf(row) }))
  keyed.sort((left, right) => right.urgency - left.urgency || compare(left.key, right.key))
  return keyed.map(({ row }) => row)
}

/** The rows that the choice lets through, in their order. */
export function chosenRows(rows: readonly ResourceRow[], { show, search }: ListChoice): readonly ResourceRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (row: ResourceRow): boolean => words.every((word) => textOf(row).includes(word))
  return rows.filter((row) => isShown(row, show) && isFound(row))
}

export function countsOf(rows: Iterable<ResourceRow>): Counts {
  const counts = { all: 0, attention: 0, notReady: 0, deleting: 0 }
  for (const row of rows) for (const { show } of SHOWS) if (isShown(row, show)) counts[show]++
  return counts
}

function isShown({ problems, ready, deleting }: ResourceRow, show: Show): boolean {
  if (show === 'attention') return problems.length > 0
  if (show === 'notReady') return ready !== 'True'
  return show === 'all' || deleting !== undefined
}

/** The text of each row in lower case: a search reads thousands of them with each key. */
const texts = new WeakMap<ResourceRow, string>()

function textOf(row: ResourceRow): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const { kind, namespace, name, role = '', ready, reason, message, problems } = row
  const causes = problems.map((problem) => problem.message)
  const text = [kind, `${namespace}/${name}`, role, ready, reason, message, ...causes].join(' ').toLowerCase()
  texts.set(row, text)
  return text
}

function urgencyOf({ problems, ready, deleting }: ResourceRow): number {
  if (problems.length > 0) return 3
  if (ready !== 'True') return deleting === undefined ? 2 : 1
  return 0
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}
