import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { Preview } from '../../../../src/rolebook/cli/preview/preview.ts'
import { diffOfPreviews } from '../../../../src/rolebook/cli/preview/preview-diff.ts'
import type { PreviewState } from '../../../../src/rolebook/cli/preview/preview-view.ts'
import { moved, type PreviewPage, renderPreview } from '../../../../src/rolebook/cli/preview/render-preview.ts'

/** A preview of ConfigMaps, each with so many keys. */
function previewOf(counts: Readonly<Record<string, number>>): Preview {
  const parts = Object.entries(counts).map(([name, count]) => {
    const data = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index + 1}`, 'v']))
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
    return { object, task: undefined, title: `ConfigMap default/${name}` }
  })
  return { sample: 'web.yaml', parts, heldUp: '', isGood: true }
}

const TITLE = 'rolebook preview of web.yaml'
const KEYS = '↓ ↑ Space PgUp scroll  q quit'
const SMALL = previewOf({ a: 1 })
const LARGE = previewOf({ a: 20 })
const OBJECT = ['# ConfigMap default/a', 'apiVersion: v1', 'kind: ConfigMap', 'metadata:', '  name: a', 'data:']
const MISTAKE = `role.yaml:6:1 error RB1 the name of this variable is not known at all
  6 | text: \${$nobody}
    |         ^^^^^^^

1 error
`

interface Case {
  readonly name: string
  readonly state: Partial<PreviewState>
  readonly size: PreviewPage['size']
  readonly keys?: readonly string[]
  readonly hasKeys?: boolean
  readonly shows: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'the objects, as many lines as fit',
    state: { preview: SMALL },
    size: { columns: 60, rows: 11 },
    shows: [TITLE, '', ...OBJECT, '  k1: v', '', KEYS],
  },
  {
    name: 'how many lines more there are',
    state: { preview: LARGE },
    size: { columns: 60, rows: 8 },
    shows: [TITLE, '', ...OBJECT.slice(0, 4), '… 22 more lines', KEYS],
  },
  {
    name: 'the lines below, by keys',
    state: { preview: LARGE },
    size: { columns: 60, rows: 8 },
    keys: [' ', 'down', 'k'],
    shows: [TITLE, '', '  name: a', 'data:', '  k1: v', '  k2: v', '… 18 more lines', KEYS],
  },
  {
    name: 'the last lines at most, and the first ones again',
    state: { preview: LARGE },
    size: { columns: 60, rows: 8 },
    keys: ['end', 'j', 'pagedown'],
    shows: [TITLE, '', ...[16, 17, 18, 19, 20].map((index) => `  k${index}: v`), KEYS],
  },
  {
    name: 'nothing else for keys that mean nothing',
    state: { preview: LARGE },
    size: { columns: 60, rows: 8 },
    keys: ['x', 'G', 'home', 'up'],
    shows: [TITLE, '', ...OBJECT.slice(0, 4), '… 22 more lines', KEYS],
  },
  {
    name: 'what the last edit has changed, above the objects',
    state: { preview: SMALL, diff: diffOfPreviews(previewOf({ a: 2, b: 1 }), SMALL) },
    size: { columns: 60, rows: 15 },
    shows: [
      TITLE,
      '0 added, 1 changed, 1 removed',
      '  ~ ConfigMap default/a',
      '      data.k2: "v" → nothing',
      '  - ConfigMap default/b',
      '',
      ...OBJECT,
      '  k1: v',
      '',
      KEYS,
    ],
  },
  {
    name: 'what is wrong above everything, and code as it is',
    state: { preview: SMALL, diff: [], said: MISTAKE },
    size: { columns: 40, rows: 21 },
    shows: [
      TITLE,
      '│ role.yaml:6:1 error RB1 the name of',
      '│ this variable is not known at all',
      '│   6 | text: ${$nobody}',
      '│     |         ^^^^^^^',
      '│',
      '│ 1 error',
      'no differences',
      '',
      ...OBJECT,
      '  k1: v',
      ...['', '', '', ''],
      KEYS,
    ],
  },
  {
    name: 'the begin of everything on a small screen',
    state: {
      preview: LARGE,
      diff: diffOfPreviews(previewOf({ a: 1 }), LARGE),
      said: MISTAKE,
    },
    size: { columns: 20, rows: 10 },
    shows: [
      'rolebook preview of…',
      '│ role.yaml:6:1',
      '│ error RB1 the name',
      '│ … 7 more lines',
      '0 added, 1 changed,…',
      '  ~ ConfigMap defau…',
      '… 19 more lines',
      '',
      '… 26 more lines',
      '↓ ↑ Space PgUp scro…',
    ],
  },
  {
    name: 'that it is at work, before there is anything',
    state: {},
    size: { columns: 60, rows: 4 },
    hasKeys: false,
    shows: ['rolebook preview', '', 'The sample is being rendered.', 'Standard input is not a terminal: Ctrl-C stops'],
  },
  {
    name: 'what is wrong with a project that was never right',
    state: { said: 'web.yaml: no\n' },
    size: { columns: 60, rows: 6 },
    shows: ['rolebook preview', '│ web.yaml: no', '', '', '', KEYS],
  },
]

describe('the screen of rolebook preview shows', () => {
  for (const { name, state, size, keys = [], hasKeys = true, shows } of CASES) {
    it(name, () => {
      const page: PreviewPage = { said: '', ...state, size, hasKeys, scroll: 0 }
      const lines = renderPreview(keys.reduce(moved, page), true)
      expect(lines.map((line) => stripVTControlCharacters(line).trimEnd())).to.deep.equal(shows)
    })
  }

  it('signs and headings in colours, where the terminal has some', () => {
    const page = { said: 'no', preview: SMALL, diff: diffOfPreviews(previewOf({}), SMALL), hasKeys: true, scroll: 0 }
    const lines = renderPreview({ ...page, size: { columns: 60, rows: 15 } }, true)
    expect(lines.filter((line) => line.includes('\u001b['))).to.deep.equal([
      `\u001b[1m${TITLE}\u001b[0m`,
      '\u001b[33m│\u001b[0m no',
      '  \u001b[32m+ ConfigMap default/a\u001b[0m',
      '\u001b[36m# ConfigMap default/a\u001b[0m',
      `\u001b[2m${KEYS}\u001b[0m`,
    ])
    expect(renderPreview({ ...page, size: { columns: 60, rows: 15 } }, false).join('')).to.not.include('\u001b')
  })
})

describe('the difference of two previews', () => {
  it('distinguishes objects whose names are hidden', () => {
    const hidden = (...values: readonly string[]): Preview => {
      const parts = values.map((text) => {
        const metadata = { name: '(sensitive)' }
        const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text } }
        return { object, task: undefined, title: 'ConfigMap (sensitive)' }
      })
      return { ...SMALL, parts }
    }
    const diffs = diffOfPreviews(hidden('a', 'b'), hidden('a', 'c', 'd'))
    expect(diffs.map(({ action, fields }) => [action, fields?.map(({ to }) => to)])).to.deep.equal([
      ['change', ['"c"']],
      ['create', undefined],
    ])
  })
})
