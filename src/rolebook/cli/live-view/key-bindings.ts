import { listLines, selectedLine } from './resource-list.ts'
import { keyOfRow } from './resource-row.ts'
import type { Order, Page, ScreenState } from './screen-state.ts'

/** What a key does, as data: the reducer, the help, the last line of the screen and docs/sandbox.md show this list. */
export interface KeyBinding {
  /** As a terminal names them. */
  readonly names: readonly string[]
  /** For people: `↓, j`. */
  readonly shown: string
  readonly does: string
  /** For the last line of the screen. Absent, or `undefined` in a state: it is only in the help. */
  readonly hint?: (state: ScreenState) => string | undefined
  readonly where: 'list' | 'page' | 'everywhere'
  press(state: ScreenState): ScreenState
}

/** How many lines a page of the screen has. */
type PageLength = (state: ScreenState) => number

const ORDERS: readonly Order[] = ['readiness', 'name', 'changed']

/** `pageLength`: how far a page goes. */
export function keyBindings(pageLength: PageLength): readonly KeyBinding[] {
  const move = (lines: (state: ScreenState) => number) => (state: ScreenState) =>
    state.page ? scrolled(state, state.page, lines(state)) : selectedAt(state, lines(state))
  return [
    ...movements(move, pageLength),
    ...listKeys,
    {
      names: ['e'],
      shown: 'e',
      does: 'opens all mistakes of the project, and the log',
      hint: () => 'e errors and log',
      where: 'everywhere',
      press: (state) => ({ ...state, page: { kind: 'messages', scroll: state.problem.length > 0 ? 0 : Infinity } }),
    },
    {
      names: ['?', 'h'],
      shown: '?, h',
      does: 'opens the help',
      hint: () => '? help',
      where: 'everywhere',
      press: (state) => ({ ...state, page: { kind: 'help', scroll: 0 } }),
    },
    {
      names: ['escape', 'backspace', 'left'],
      shown: 'Esc',
      does: 'goes back to the list; in the list, shows all resources again',
      hint: ({ page }) => (page ? 'Esc back' : undefined),
      where: 'everywhere',
      press: (state) => (state.page ? { ...state, page: undefined } : { ...state, filter: '' }),
    },
    {
      names: ['q'],
      shown: 'q',
      does: 'stops the sandbox; in what was opened, goes back to the list',
      hint: () => 'q quit',
      where: 'everywhere',
      press: (state) => (state.page ? { ...state, page: undefined } : { ...state, isStopping: true }),
    },
  ]
}

type Move = (lines: (state: ScreenState) => number) => KeyBinding['press']

function movements(move: Move, pageLength: PageLength): readonly KeyBinding[] {
  const keys = (names: readonly string[], shown: string, does: string, lines: PageLength): KeyBinding => ({
    ...{ names, shown, does, where: 'everywhere' },
    press: move(lines),
  })
  return [
    keys(['up', 'k'], '↑, k', 'goes up', () => -1),
    keys(['down', 'j'], '↓, j', 'goes down', () => 1),
    keys(['pageup', 'ctrl+b'], 'PgUp', 'goes a page up', (state) => -pageLength(state)),
    keys(['pagedown', 'ctrl+f', ' '], 'PgDn, Space', 'goes a page down', pageLength),
    keys(['home'], 'Home', 'goes to the first line', () => -Infinity),
    keys(['end', 'G'], 'End, G', 'goes to the last line', () => Infinity),
  ]
}

const listKeys: readonly KeyBinding[] = [
  {
    names: ['return', 'right'],
    shown: 'Enter',
    does: 'opens the resource: its conditions, the tasks and objects of its last runs with what they changed, its events',
    hint: () => 'Enter details',
    where: 'list',
    press: opened,
  },
  {
    names: ['/'],
    shown: '/',
    does: 'shows only resources with a text in their name, readiness or message; Enter keeps it, Esc drops it',
    hint: () => '/ filter',
    where: 'list',
    press: (state) => ({ ...state, isTyping: true }),
  },
  {
    names: ['s'],
    shown: 's',
    does: 'sorts: those that are not ready first, by name, or the last change first',
    hint: ({ order }) => `s sort: ${order}`,
    where: 'list',
    press: (state) => ({ ...state, order: ORDERS[(ORDERS.indexOf(state.order) + 1) % ORDERS.length] ?? 'readiness' }),
  },
  {
    names: ['g'],
    shown: 'g',
    does: 'groups the resources by kind, or no longer',
    hint: () => 'g group',
    where: 'list',
    press: (state) => ({ ...state, isGrouped: !state.isGrouped }),
  },
]

function opened(state: ScreenState): ScreenState {
  const lines = listLines(state)
  const line = lines[selectedLine(lines, state.selected)]
  if (line?.kind !== 'resource') return state
  const resource = keyOfRow(line.row)
  return { ...state, selected: resource, page: { kind: 'details', resource, lines: [], scroll: 0 } }
}

function scrolled(state: ScreenState, page: Page, by: number): ScreenState {
  return { ...state, page: { ...page, scroll: page.scroll + by } }
}

/** Selects another resource. What stands between them, the names of kinds, does not count. */
function selectedAt(state: ScreenState, by: number): ScreenState {
  const rows = listLines(state).flatMap((line) => (line.kind === 'resource' ? [keyOfRow(line.row)] : []))
  const from = Math.max(0, rows.indexOf(state.selected ?? ''))
  const to = Math.max(0, Math.min(from + by, rows.length - 1))
  return { ...state, selected: rows[to] }
}
