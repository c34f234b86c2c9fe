import { expect } from 'chai'
import { drawScreen } from '../../../../src/rolebook/cli/live-view/reduce-screen.ts'
import type { ScreenEvent, Size } from '../../../../src/rolebook/cli/live-view/screen-state.ts'
import { widthOf } from '../../../../src/rolebook/cli/live-view/text-width.ts'
import { linesOf, row, type Setting, screenWith, unready } from './screen-with.ts'

const SIZES: readonly Size[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
]
const REASON = 'its controller has not seen it yet, and the quota of the namespace leaves no room for another pod'
const ROWS = [
  row('cache'),
  unready('memcached-sample', `Deployment default/memcached-sample is not ready: ${REASON}`),
  row('page', { kind: 'MaintPage' }),
  unready('日本語のサイト', '準備中です 👨‍👩‍👧 まだです', { kind: 'Website' }),
]
const PROBLEM: ScreenEvent = {
  type: 'problem',
  text: [
    'roles/rediscluster/role.yaml:45:35 error RB1001 this expression needs quotes',
    '  44 |   selector:',
    '  45 |     matchLabels: ${$labels}',
    '     |                  ^^^^^^^^^^',
    '  hint: write "${$labels}"',
    '',
    'roles/rediscluster/role.yaml:82:7 error RB1001 another one',
    '',
    '36 errors',
    'the change is not used; the last good version goes on',
    '',
  ].join('\n'),
}
const LOG: readonly ScreenEvent[] = Array.from({ length: 9 }, (_, index) => ({ type: 'said', text: `log ${index}\n` }))
const nameOf = ({ columns, rows }: Size): string => `${columns}x${rows}`

const settings: readonly (Setting & { readonly name: string })[] = [
  { name: 'an empty list' },
  { name: 'a list', rows: ROWS },
  { name: 'a list in groups', rows: ROWS, keys: ['g'] },
  { name: 'a list with a problem and a log', rows: ROWS, events: [PROBLEM, ...LOG] },
  { name: 'a list without keys', rows: ROWS, hasKeys: false },
  { name: 'a filter that is typed', rows: ROWS, keys: ['/', ...'cache'] },
  { name: 'a filter that finds nothing', rows: ROWS, keys: ['/', ...'nothing', 'return'] },
  { name: 'the messages', rows: ROWS, events: [PROBLEM, ...LOG], keys: ['e'] },
  { name: 'the help', keys: ['?'] },
  { name: 'many resources', rows: Array.from({ length: 300 }, (_, index) => row(`c-${index}`)), keys: ['end'] },
]

for (const size of [...SIZES, { columns: 20, rows: 5 }, { columns: 1, rows: 1 }]) {
  describe(`the live screen of ${nameOf(size)}`, () => {
    for (const { name, ...setting } of settings) {
      it(`has room for ${name}`, () => {
        const lines = drawScreen(screenWith({ ...setting, size }), true)
        expect(lines).to.have.length(size.rows)
        expect(lines.filter((line) => widthOf(line) > size.columns)).to.deep.equal([])
      })
    }
  })
}

for (const size of SIZES) {
  const shown = (setting: Setting): readonly string[] => linesOf(screenWith({ ...setting, size }))
  const text = (setting: Setting): string => shown(setting).join('\n')

  describe(`the list on a screen of ${nameOf(size)}`, () => {
    it('shows how many are ready, where the server is, and the keys', () => {
      const lines = shown({ rows: ROWS })
      expect(lines[0]).to.match(/^rolebook sandbox at https.*Ready 2 of 4$/)
      expect(lines.at(-1)).to.match(/\? help {2}q quit$/)
    })

    it('shows the whole message of the selected resource', () => {
      const words = text({ rows: ROWS }).replaceAll(/\s+/g, ' ')
      expect(words).to.include(REASON)
    })

    it('has each resource on a line with its readiness', () => {
      const lines = shown({ rows: ROWS })
      expect(lines.filter((line) => /^[> ] \w+ default\/\S+ +(True|False)\b/.test(line))).to.have.length(
        size.rows > 20 ? 4 : 3,
      )
    })

    it('shows the first mistake with its place and hint before everything else, and how many there are', () => {
      const lines = shown({ rows: ROWS, events: [PROBLEM, ...LOG] })
      const bars = lines.filter((line) => line.startsWith('│'))
      expect(bars[0]).to.match(/^│ roles\/rediscluster\/role\.yaml:45:35/)
      const all = bars.map((line) => line.slice(2)).join(' ')
      expect(all).to.include('needs quotes').and.to.include('hint: write "${$labels}"').and.to.include('e shows all')
      if (size.columns >= 80) expect(all).to.include('45 |').and.to.include('36 errors')
      expect(text({ events: [PROBLEM] })).to.not.include(':82:7')
      expect(lines.some((line) => line.startsWith('> Memcached default/'))).to.equal(true)
    })

    it('forgets a mistake that is mended', () => {
      const mended = text({ rows: ROWS, events: [PROBLEM, { type: 'problem', text: undefined }] })
      expect(mended).to.equal(text({ rows: ROWS }))
    })
  })
}

describe('the list on a wide screen', () => {
  const text = (setting: Setting): string =>
    linesOf(screenWith({ size: { columns: 120, rows: 40 }, ...setting })).join('\n')

  it('shows the lines to copy, the totals of kinds and the end of the log', () => {
    const shown = text({ rows: ROWS, events: LOG })
    expect(shown).to.include('\n  kubectl get memcacheds,deployments,pods\n')
    expect(shown).to.include('\nMaintPage 1/1  Memcached 1/2  Website 0/1\n').and.to.include('\nlog 8\n')
  })

  it('shows a total above each group', () => {
    expect(text({ rows: ROWS, keys: ['g'] })).to.match(
      /\n {2}Memcached {2}Ready 1 of 2\n[> ] {3}default\/mem.*\n[> ] {3}default\/cache/,
    )
  })

  it('leaves the number of children empty as long as it is not known', () => {
    expect(text({ rows: [row('new', { children: undefined })] })).to.match(/default\/new +True +Ready +12:00:00/)
  })

  it('says what the filter finds', () => {
    expect(text({ rows: ROWS, keys: ['/', ...'mem', 'return'] })).to.include('Ready 2 of 4 · 2 with "mem"')
    expect(text({ rows: ROWS, keys: ['/', 'x', 'y'] }))
      .to.include('No resource has "xy"')
      .and.to.include('/xy▏')
  })

  it('says what is there when no resource is', () => {
    expect(text({})).to.include('No resource yet. Edit watches.yaml')
  })

  it('lets nothing from a cluster write to the terminal', () => {
    const state = screenWith({ rows: [unready('a', '\u001b[2Jgone'), row('b\u001b[31m')] })
    expect(drawScreen(state, false).join('')).to.not.include('\u001b')
  })
})
