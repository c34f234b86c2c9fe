import { type KeyBinding, keyBindings } from './key-bindings.ts'
import { pageLength, pageLines, renderScreen } from './render-screen.ts'
import { listLines, selectedLine } from './resource-list.ts'
import type { Page, ScreenEvent, ScreenState } from './screen-state.ts'
import { harmless } from './text-width.ts'

/** What every key does. */
export const BINDINGS: readonly KeyBinding[] = keyBindings(pageLength)

/** Lines of the log that are kept, and characters of each. */
const MOST_LOG = 1_000
const LONGEST_LINE = 4_000

/** The state after an event. It changes nothing and knows no terminal. */
export function reduceScreen(state: ScreenState, event: ScreenEvent): ScreenState {
  return settled(changed(state, event))
}

/** The lines of the screen in a state. */
export function drawScreen(state: ScreenState, color: boolean): readonly string[] {
  return renderScreen(state, { color, bindings: BINDINGS })
}

function changed(state: ScreenState, event: ScreenEvent): ScreenState {
  switch (event.type) {
    case 'key':
      return state.isTyping ? typed(state, event.name) : pressed(state, event.name)
    case 'resized':
      return { ...state, size: event.size }
    case 'resources':
      return withResources(state, event.changes)
    case 'said':
      return { ...state, log: [...state.log, ...linesOf(event.text)].slice(-MOST_LOG) }
    case 'problem':
      return { ...state, problem: event.text === undefined ? [] : linesOf(event.text) }
    case 'details':
      return withDetails(state, event.resource, event.lines)
    case 'stopping':
      return { ...state, isStopping: true }
  }
}

function pressed(state: ScreenState, name: string): ScreenState {
  const place = state.page ? 'page' : 'list'
  const binding = BINDINGS.find(
    ({ names, where }) => names.includes(name) && (where === place || where === 'everywhere'),
  )
  return binding?.press(state.page ? { ...state, page: within(state, state.page) } : state) ?? state
}

const MOVES = new Set(['up', 'down', 'pageup', 'pagedown'])

/** A key while the filter is typed. */
function typed(state: ScreenState, name: string): ScreenState {
  const { filter } = state
  if (MOVES.has(name)) return pressed(state, name)
  if (name === 'return') return { ...state, isTyping: false }
  if (name === 'escape') return { ...state, isTyping: false, filter: '' }
  if (name === 'backspace') return { ...state, filter: [...filter].slice(0, -1).join('') }
  if (name === 'ctrl+u') return { ...state, filter: '' }
  return [...name].length === 1 ? { ...state, filter: filter + name } : state
}

function withResources(state: ScreenState, changes: (ScreenEvent & { type: 'resources' })['changes']): ScreenState {
  const resources = new Map(state.resources)
  for (const [key, row] of changes) {
    if (row) resources.set(key, row)
    else resources.delete(key)
  }
  return { ...state, resources }
}

/** They may come when the page is closed already. */
function withDetails(state: ScreenState, resource: string, lines: readonly string[]): ScreenState {
  const { page } = state
  if (page?.kind !== 'details' || page.resource !== resource) return state
  return { ...state, page: { ...page, lines: lines.map(harmless) } }
}

function linesOf(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n')
  return lines.map((line) => harmless(line.slice(0, LONGEST_LINE)).trimEnd())
}

/** What is on the screen stays within what there is. */
function settled(state: ScreenState): ScreenState {
  if (state.page) return { ...state, page: settledPage(state, state.page) }
  const lines = listLines(state)
  const at = selectedLine(lines, state.selected)
  const length = pageLength(state)
  // The name of a kind stays above its first resource.
  const first = lines[at - 1]?.kind === 'group' ? at - 1 : at
  const needed = Math.max(Math.min(state.top, first), at - length + 1)
  return { ...state, top: Math.max(0, Math.min(needed, lines.length - length)) }
}

/** At its end, the log follows what is said. */
function settledPage(state: ScreenState, page: Page): Page {
  const last = lastScroll(state, page)
  if (page.kind === 'messages' && page.scroll >= last && state.problem.length === 0)
    return { ...page, scroll: Infinity }
  return within(state, page)
}

/** The page, scrolled to lines that it has. */
function within(state: ScreenState, page: Page): Page {
  return { ...page, scroll: Math.max(0, Math.min(page.scroll, lastScroll(state, page))) }
}

function lastScroll(state: ScreenState, page: Page): number {
  return Math.max(0, pageLines(state, page, { color: false, bindings: BINDINGS }).length - pageLength(state))
}
