import { stripVTControlCharacters } from 'node:util'
import { keyOfRow, nameOfRow, type ResourceRow } from './resource-row.ts'
import type { Order, ScreenState } from './screen-state.ts'

/** A line of the list: a resource, or the kind above its resources. */
export type ListLine =
  | { readonly kind: 'resource'; readonly row: ResourceRow }
  | { readonly kind: 'group'; readonly title: string; readonly total: Total }

/** How many of some resources are ready. */
export interface Total {
  readonly ready: number
  readonly all: number
}

export type ListState = Pick<ScreenState, 'resources' | 'filter' | 'order' | 'isGrouped'>

/** The list of these resources that was asked for last: a frame asks several times, and most frames change no resource. */
const known = new WeakMap<ListState['resources'], { readonly choice: string; readonly lines: readonly ListLine[] }>()

/** The resources that the filter lets through, in their order, under their kinds if they are grouped. */
export function listLines(state: ListState): readonly ListLine[] {
  const { resources, filter, order, isGrouped } = state
  const choice = JSON.stringify([filter, order, isGrouped])
  const found = known.get(resources)
  if (found?.choice === choice) return found.lines
  const lines = computeLines(state)
  known.set(resources, { choice, lines })
  return lines
}

function computeLines(state: ListState): readonly ListLine[] {
  const rows = [...state.resources.values()].filter(matches(state.filter)).sort(ORDERS[state.order])
  if (!state.isGrouped) return rows.map((row) => ({ kind: 'resource', row }))
  return kindsIn(rows).flatMap(({ title, members }): readonly ListLine[] => [
    { kind: 'group', title, total: totalOf(members) },
    ...members.map((row) => ({ kind: 'resource', row }) as const),
  ])
}

/** The total of each kind, by the name of the kind. */
export function totalsByKind(rows: Iterable<ResourceRow>): readonly (Total & { readonly title: string })[] {
  return kindsIn([...rows]).map(({ title, members }) => ({ title, ...totalOf(members) }))
}

export function totalOf(rows: Iterable<ResourceRow>): Total {
  const all = [...rows]
  return { ready: all.filter(({ ready }) => ready === 'True').length, all: all.length }
}

/** The place of the selected resource among the lines, or of the first one. -1: there is none. */
export function selectedLine(lines: readonly ListLine[], selected: string | undefined): number {
  const isResource = (line: ListLine): boolean => line.kind === 'resource'
  const found = lines.findIndex((line) => line.kind === 'resource' && keyOfRow(line.row) === selected)
  return found === -1 ? lines.findIndex(isResource) : found
}

function matches(filter: string): (row: ResourceRow) => boolean {
  const wanted = filter.toLowerCase()
  return (row) => wanted === '' || textOf(row).includes(wanted)
}

function textOf(row: ResourceRow): string {
  return stripVTControlCharacters(`${nameOfRow(row)} ${row.ready} ${row.reason} ${row.message}`).toLowerCase()
}

type Compare = (left: ResourceRow, right: ResourceRow) => number

const byName: Compare = (left, right) => compareText(nameOfRow(left), nameOfRow(right))

const ORDERS: Readonly<Record<Order, Compare>> = {
  readiness: (left, right) => Number(left.ready === 'True') - Number(right.ready === 'True') || byName(left, right),
  name: byName,
  changed: (left, right) => right.changed - left.changed || byName(left, right),
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

interface Kind {
  readonly title: string
  readonly members: readonly ResourceRow[]
}

/** A kind has its group in the title where two groups have a kind of that name. */
function kindsIn(rows: readonly ResourceRow[]): readonly Kind[] {
  const kinds = [...Map.groupBy(rows, ({ request }) => `${request.kind}.${request.group}`)]
  const nameOf = (full: string): string => full.slice(0, full.indexOf('.'))
  const isAlone = (name: string): boolean => kinds.filter(([full]) => nameOf(full) === name).length === 1
  return kinds
    .map(([full, members]) => ({ title: isAlone(nameOf(full)) ? nameOf(full) : full, members }))
    .sort((left, right) => compareText(left.title, right.title))
}
