import { paint } from '../paint.ts'
import type { KeyBinding } from './key-bindings.ts'
import { renderTable } from './render-table.ts'
import { type ListLine, listLines, selectedLine, totalOf, totalsByKind } from './resource-list.ts'
import { nameOfRow, type ResourceRow } from './resource-row.ts'
import type { Page, ScreenState } from './screen-state.ts'
import { cut, harmless, padTo, widthOf, wrap } from './text-width.ts'
import { isFrame, wrapProblem } from './wrap-problem.ts'

export interface RenderOptions {
  readonly color: boolean
  readonly bindings: readonly KeyBinding[]
}

/** The whole screen: as many lines as it has, none wider than it is. */
export function renderScreen(state: ScreenState, options: RenderOptions): readonly string[] {
  const { columns, rows } = state.size
  const lines = state.page ? renderPage(state, state.page, options) : renderList(state, options)
  return Array.from({ length: rows }, (_, index) => cut(lines[index] ?? '', columns))
}

/** How many lines of what scrolls are on the screen. */
export function pageLength(state: ScreenState): number {
  return state.page ? Math.max(1, state.size.rows - PAGE_FRAME) : layOut(state, { color: false }).listRoom
}

/** The lines of an opened page. */
export function pageLines(state: ScreenState, page: Page, { color, bindings }: RenderOptions): readonly string[] {
  return textOf(state, page, { color, bindings }).flatMap((line) => wrap(line, state.size.columns))
}

/** Its title, and the keys. */
const PAGE_FRAME = 2

function renderPage(state: ScreenState, page: Page, options: RenderOptions): readonly string[] {
  const { columns, rows } = state.size
  const lines = pageLines(state, page, options)
  const room = Math.max(1, rows - PAGE_FRAME)
  const from = Math.max(0, Math.min(page.scroll, lines.length - room))
  const shown = lines.slice(from, from + room)
  const more = lines.length > room ? ` ${from + 1}-${from + shown.length} of ${lines.length}` : ''
  const title = `${padTo(titleOf(state, page), columns - widthOf(more))}${more}`
  const filler = Array.from({ length: room - shown.length }, () => '')
  return [paint(title, 'bold', options.color), ...shown, ...filler, footOf(state, options)]
}

function titleOf({ resources }: ScreenState, page: Page): string {
  if (page.kind === 'help') return 'Keys'
  if (page.kind === 'messages') return 'Mistakes and log'
  const row = resources.get(page.resource)
  return row ? nameOfRow(row) : 'The resource is gone'
}

function textOf(state: ScreenState, page: Page, { color, bindings }: RenderOptions): readonly string[] {
  if (page.kind === 'details') return page.lines
  if (page.kind === 'messages') {
    const problem = state.problem.length > 0 ? [...state.problem, ''] : []
    return [...problem, ...(state.log.length > 0 ? state.log : ['Nothing was logged.'])]
  }
  const width = Math.max(...bindings.map(({ shown }) => widthOf(shown)))
  const { url, commands, note } = state.heading
  return [
    ...bindings.map(({ shown, does }) => `  ${paint(padTo(shown, width), 'cyan', color)}  ${does}`),
    ...['', `Kubernetes API at ${url}. In another terminal:`, ...commands.map((command) => `  ${command}`), '', note],
  ]
}

interface ListLayout {
  readonly head: readonly string[]
  readonly lines: readonly ListLine[]
  readonly selected: number
  /** Lines for resources. */
  readonly listRoom: number
  readonly below: readonly string[]
}

function renderList(state: ScreenState, options: RenderOptions): readonly string[] {
  const { color } = options
  const { head, lines, selected, listRoom, below } = layOut(state, options)
  const window = { from: state.top, count: listRoom }
  const { columns } = state.size
  const table =
    lines.length > 0
      ? renderTable(lines, { columns, color, isGrouped: state.isGrouped, window, selected })
      : ['', ...wrap(whyEmpty(state), columns)]
  const filler = Array.from({ length: Math.max(0, listRoom + 1 - table.length) }, () => '')
  return [...head, ...table.slice(0, listRoom + 1), ...filler, ...below, footOf(state, options)]
}

function whyEmpty({ resources, filter, heading }: ScreenState): string {
  if (resources.size > 0) return `No resource has "${filter}" in its name, readiness or message.`
  return `No resource yet. ${heading.note}`
}

/** The title, the heading of the table, and the keys. */
const LIST_FRAME = 3
const MOST_LOG = 6

/** Gives each part its lines, the most important part first, so that a small screen shows what counts. */
function layOut(state: ScreenState, { color }: Pick<RenderOptions, 'color'>): ListLayout {
  const { rows, columns } = state.size
  const lines = listLines(state)
  const selected = selectedLine(lines, state.selected)
  const leastList = Math.max(1, Math.min(lines.length, Math.floor(rows / 4)))
  let unused = rows - LIST_FRAME - leastList
  const give = (wanted: readonly string[], most = wanted.length): readonly string[] => {
    const given = Math.max(0, Math.min(wanted.length, most, unused))
    unused -= given
    return wanted.slice(0, given)
  }
  const giveAll = (wanted: readonly string[]): readonly string[] => (wanted.length <= unused ? give(wanted) : [])
  const line = lines[selected]
  const problem = give(problemLines(state, { color, most: Math.max(2, Math.min(unused, Math.floor(rows / 2))) }))
  const whole = line?.kind === 'resource' ? aboutLines(line.row, columns, color) : []
  const about = give(whole, Math.max(2, Math.floor(rows / 2)))
  const totals = giveAll(kindsLine(state))
  const commands = giveAll(['', ...state.heading.commands.map((command) => `  ${command}`), ''])
  const wantsRows = Math.max(0, lines.length - leastList)
  const log = give(state.log.slice(-MOST_LOG), Math.max(unused - wantsRows, rows >= 20 ? 2 : 0))
  const shownLog = log.length > 0 ? state.log.slice(-log.length) : []
  return {
    head: [titleLine(state, color), ...totals, ...commands, ...problem],
    lines,
    selected,
    listRoom: leastList + unused,
    below: [...(about.length < whole.length ? [...about.slice(0, -1), 'Enter shows all.'] : about), ...shownLog],
  }
}

function titleLine(state: ScreenState, color: boolean): string {
  const { columns } = state.size
  const { ready, all } = totalOf(state.resources.values())
  const shown = listLines(state).filter(({ kind }) => kind === 'resource').length
  const filter = state.filter === '' || state.isTyping ? '' : ` · ${shown} with "${state.filter}"`
  const total = `Ready ${ready} of ${all}${filter}`
  const right = cut(all === 0 ? '' : total, columns)
  const left = padTo(`rolebook sandbox at ${state.heading.url}`, Math.max(0, columns - widthOf(right) - 2))
  const gap = ' '.repeat(Math.max(0, Math.min(2, columns - widthOf(right))))
  return `${paint(left, 'bold', color)}${gap}${paint(right, ready === all ? 'green' : 'yellow', color)}`
}

function kindsLine({ resources, isGrouped }: ScreenState): readonly string[] {
  const totals = totalsByKind(resources.values())
  if (totals.length < 2 || isGrouped) return []
  return [totals.map(({ title, ready, all }) => `${title} ${ready}/${all}`).join('  ')]
}

/** The first mistake with its place and its hint, and how many there are. */
function problemLines(
  { problem, size }: ScreenState,
  { color, most }: { color: boolean; most: number },
): readonly string[] {
  if (problem.length === 0) return []
  const end = problem.indexOf('')
  const first = end === -1 ? problem : problem.slice(0, end)
  const last = end === -1 ? [] : problem.slice(problem.lastIndexOf('') + 1)
  const columns = size.columns - 2
  const summary = [cut(['e shows all', ...last].join(': '), columns)]
  const choices = [first, first.filter((line) => !isFrame(line))].map((lines) => wrapProblem(lines, columns))
  const fitting = choices.find((lines) => lines.length < most) ?? choices.at(-1) ?? []
  const bar = paint('│', 'red', color)
  return [...fitting.slice(0, most - 1), ...summary].map((line) => `${bar} ${line}`)
}

/** Everything that the selected line says, however long it is. */
function aboutLines(row: ResourceRow, columns: number, color: boolean): readonly string[] {
  const { ready, reason, message } = row
  const title = cut(`── ${harmless(nameOfRow(row))} `, columns)
  const rule = title + '─'.repeat(Math.max(0, columns - widthOf(title)))
  const said = `Ready=${ready} ${reason}${message === '' ? '' : `: ${message}`}`
  return [paint(rule, 'dim', color), ...wrap(harmless(said), columns)]
}

function footOf(state: ScreenState, { color, bindings }: RenderOptions): string {
  const { columns } = state.size
  if (state.isStopping) return cut('The sandbox stops. Ctrl-C ends it at once.', columns)
  if (!state.hasKeys) return cut('Standard input is not a terminal, so there are no keys. Ctrl-C stops.', columns)
  if (state.isTyping) return cut(`/${state.filter}▏ Enter keeps it, Esc shows all`, columns)
  const place = state.page ? 'page' : 'list'
  const hints = bindings
    .filter(({ where }) => where === place || where === 'everywhere')
    .flatMap(({ hint }) => hint?.(state) ?? [])
  return paint(hintsIn(columns, hints), 'dim', color)
}

/** As many as fit: the last ones, help and the end, are there in any case. */
function hintsIn(columns: number, hints: readonly string[]): string {
  const ends = hints.slice(-2)
  const fitting = hints.slice(0, -2)
  const text = (): string => [...fitting, ...ends].join('  ')
  while (fitting.length > 0 && widthOf(text()) > columns) fitting.pop()
  return text()
}
