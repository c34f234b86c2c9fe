import { expect } from 'chai'
import type { ScreenEvent } from '../../../../src/rolebook/cli/live-view/screen-state.ts'
import { linesOf, row, type Setting, screenWith, unready } from './screen-with.ts'

const MANY = Array.from({ length: 40 }, (_, index) => row(`c-${String(index).padStart(2, '0')}`))
const TWO_KINDS = [row('a'), row('b', { kind: 'Website' }), unready('c', 'no pods yet')]
const ERRORS: ScreenEvent = {
  type: 'problem',
  text: 'a.yaml:1:1 error RB1 first\n\nb.yaml:2:2 error RB2 second\n\n2 errors\n',
}
const said = (count: number): readonly ScreenEvent[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'said', text: `line ${index}\n` }))

/** The names of the resources on the screen, and which of them is selected. */
function list(setting: Setting): { readonly names: readonly string[]; readonly selected: string | undefined } {
  const lines = linesOf(screenWith(setting)).filter((line) => /^[> ] +(\w+ )?default\//.test(line))
  const nameOf = (line: string): string => /default\/(\S+)/.exec(line)?.[1] ?? ''
  return { names: lines.map(nameOf), selected: lines.filter((line) => line.startsWith('>')).map(nameOf)[0] }
}

describe('the list of the live screen', () => {
  const cases: readonly (Setting & { name: string; names?: readonly string[]; selected?: string })[] = [
    { name: 'has those first that are not ready', rows: TWO_KINDS, names: ['c', 'a', 'b'], selected: 'c' },
    { name: 'is sorted by name after s', rows: TWO_KINDS, keys: ['s'], names: ['a', 'c', 'b'] },
    {
      name: 'has the last change first after s twice',
      rows: [row('a', { changed: 1 }), row('b', { changed: 3 }), row('c', { changed: 2 })],
      keys: ['s', 's'],
      names: ['b', 'c', 'a'],
    },
    { name: 'is as before after s three times', rows: TWO_KINDS, keys: ['s', 's', 's'], names: ['c', 'a', 'b'] },
    { name: 'is grouped by kind after g', rows: TWO_KINDS, keys: ['g'], names: ['c', 'a', 'b'] },
    { name: 'moves the selection with the arrows', rows: TWO_KINDS, keys: ['down', 'j', 'up'], selected: 'a' },
    { name: 'stops at its ends', rows: TWO_KINDS, keys: ['k', 'end', 'down'], selected: 'b' },
    { name: 'keeps the selection when the order changes', rows: TWO_KINDS, keys: ['down', 's', 's'], selected: 'a' },
    { name: 'goes a page down and is scrolled', rows: MANY, keys: ['pagedown'], selected: 'c-15' },
    { name: 'goes a page down and up', rows: MANY, keys: ['pagedown', ' ', 'pageup'], selected: 'c-15' },
    { name: 'goes to the end', rows: MANY, keys: ['G'], selected: 'c-39' },
    { name: 'goes to the begin', rows: MANY, keys: ['end', 'home'], selected: 'c-00' },
    { name: 'shows what the filter finds in names', rows: TWO_KINDS, keys: ['/', ...'WEB'], names: ['b'] },
    {
      name: 'shows what the filter finds in messages',
      rows: TWO_KINDS,
      keys: ['/', ...'pods', 'return'],
      names: ['c'],
    },
    { name: 'takes q for a letter while the filter is typed', rows: TWO_KINDS, keys: ['/', 'q'], names: [] },
    { name: 'shows all again after Esc', rows: TWO_KINDS, keys: ['/', 'q', 'escape'], names: ['c', 'a', 'b'] },
    {
      name: 'shows all again after Esc when the filter was kept',
      rows: TWO_KINDS,
      keys: ['/', 'q', 'return', 'escape'],
      names: ['c', 'a', 'b'],
    },
    { name: 'lets one correct the filter', rows: TWO_KINDS, keys: ['/', 'q', 'backspace', ...'web'], names: ['b'] },
    { name: 'lets one begin the filter anew', rows: TWO_KINDS, keys: ['/', 'q', 'q', 'ctrl+u', 'w'], names: ['b'] },
    { name: 'takes no other key for text of the filter', rows: TWO_KINDS, keys: ['/', 'f5', 'w'], names: ['b'] },
    {
      name: 'moves the selection over the names of kinds',
      rows: TWO_KINDS,
      keys: ['g', 'down', 'down'],
      selected: 'b',
    },
    { name: 'lets one move while the filter is typed', rows: TWO_KINDS, keys: ['/', 'down'], selected: 'a' },
    { name: 'does nothing for other keys', rows: TWO_KINDS, keys: ['x', 'f5'], names: ['c', 'a', 'b'], selected: 'c' },
  ]
  for (const { name, names, selected, ...setting } of cases) {
    it(name, () => {
      const shown = list(setting)
      if (names) expect(shown.names).to.deep.equal(names)
      if (selected !== undefined) expect(shown.selected).to.equal(selected)
    })
  }

  it('has resources of one name in two groups in the order in which they came', () => {
    const other = { ...row('a'), request: { ...row('a').request, group: 'example.org' } }
    expect(list({ rows: [other, row('a'), row('0')], keys: ['s'] }).names).to.deep.equal(['0', 'a', 'a'])
    const shown = linesOf(screenWith({ rows: [other, row('a'), row('b', { kind: 'Website' })], keys: ['g'] })).join(
      '\n',
    )
    expect(shown).to.match(
      /Memcached\.example\.com {2}Ready 1 of 1[\s\S]*Memcached\.example\.org {2}Ready 1 of 1[\s\S]*Website {2}Ready/,
    )
  })

  it('forgets a resource that is gone, and shows another change of one at its place', () => {
    const changes = new Map([
      ['Memcached.example.com/default/a', undefined],
      ['Memcached.example.com/default/c', row('c')],
    ])
    const shown = list({ rows: TWO_KINDS, events: [{ type: 'resources', changes }] })
    expect(shown).to.deep.equal({ names: ['c', 'b'], selected: 'c' })
  })
})

describe('pages of the live screen', () => {
  const pages: readonly (Setting & { name: string; kind: string | undefined })[] = [
    { name: 'Enter opens the resource', rows: TWO_KINDS, keys: ['return'], kind: 'details' },
    { name: 'Enter opens nothing where there is nothing', keys: ['return'], kind: undefined },
    { name: 'e opens mistakes and log', keys: ['e'], kind: 'messages' },
    { name: '? opens the help', keys: ['?'], kind: 'help' },
    { name: 'Esc closes it', keys: ['?', 'escape'], kind: undefined },
    { name: 'q closes it, and does not stop the sandbox', keys: ['?', 'q'], kind: undefined },
    { name: 'keys of the list do nothing in it', rows: TWO_KINDS, keys: ['?', 'return', '/', 's'], kind: 'help' },
  ]
  for (const { name, kind, ...setting } of pages) {
    it(name, () => {
      const { page, isStopping, isTyping } = screenWith(setting)
      expect([page?.kind, isStopping, isTyping]).to.deep.equal([kind, false, false])
    })
  }

  it('q in the list stops the sandbox, which the screen says', () => {
    const state = screenWith({ keys: ['q'] })
    expect(state.isStopping).to.equal(true)
    expect(linesOf(state).at(-1)).to.equal('The sandbox stops. Ctrl-C ends it at once.')
  })

  const scrolls: readonly (Setting & { name: string; first: string })[] = [
    { name: 'the log is open at its end', events: said(60), keys: ['e'], first: 'line 38' },
    { name: 'the log can be scrolled', events: said(60), keys: ['e', 'up', 'up'], first: 'line 36' },
    { name: 'the log has a begin', events: said(60), keys: ['e', 'home', 'up'], first: 'line 0' },
    {
      name: 'mistakes come before the log',
      events: [...said(60), ERRORS],
      keys: ['e'],
      first: 'a.yaml:1:1 error RB1 first',
    },
  ]
  for (const { name, first, ...setting } of scrolls) {
    it(name, () => expect(linesOf(screenWith(setting))[1]).to.equal(first))
  }

  it('the log follows what is said while its end is shown, and stays when one has scrolled', () => {
    const more = (keys: readonly string[]): readonly ScreenEvent[] => [
      ...said(60),
      ...keys.map((name) => ({ type: 'key', name }) as const),
      { type: 'said', text: 'news\n' },
    ]
    expect(linesOf(screenWith({ events: more(['e']) })).at(-2)).to.equal('news')
    expect(linesOf(screenWith({ events: more(['e', 'up']) }))[1]).to.equal('line 37')
  })

  it('the page of a resource that is gone meanwhile says so', () => {
    const gone: ScreenEvent = { type: 'resources', changes: new Map([['Memcached.example.com/default/a', undefined]]) }
    const state = screenWith({ rows: [row('a')], events: [{ type: 'key', name: 'return' }, gone] })
    expect(linesOf(state)[0]).to.equal('The resource is gone')
  })

  it('details that come late are not shown over something else', () => {
    const resource = 'Memcached.example.com/default/a'
    const state = screenWith({
      rows: [row('a')],
      keys: ['return'],
      events: [{ type: 'details', resource, lines: ['late'] }],
    })
    expect(state.page).to.deep.include({ kind: 'details', lines: [] })
  })
})
