import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { authorMessage, UNREAD } from '../../../src/core/yaml/yaml-messages.ts'

/** Each with what is said of it, and of what it may be said instead. */
const CASES: readonly { readonly text: string; readonly said: string; readonly hint: string }[] = [
  { text: 'a: 1\n${x}\nb: 2\n', said: '2:1 a line without `:`', hint: '`key: value`' },
  { text: 'a: 1\n- b\n', said: '2:1 an item with `- ` stands among the keys', hint: 'above the list' },
  { text: 'a: "x"\n- b\n', said: '2:1 an item with `- ` stands among the keys', hint: 'above the list' },
  { text: 'a: {\n  b: 1\n  c: 2\n}\n', said: '2:6 a `,` is missing', hint: 'behind each entry' },
  { text: 'a: {b: 1 c: 2}\n', said: '1:8 a `,` is missing', hint: 'behind each entry' },
  { text: 'a: ["b" "c"]\n', said: '1:9 a `,` is missing', hint: 'behind each entry' },
  { text: 'a: [b\n  c: d]\n', said: '1:5 a `,` is missing', hint: 'behind each entry' },
  { text: 'a: {- b}\n', said: '1:5 an item with `- ` stands in brackets', hint: '`[one, other]`' },
  { text: 'a: [1,,2]\n', said: '1:7 a value is missing before a `,`', hint: 'remove the `,`' },
  { text: 'a: {b: 1\n', said: '2:1 a `{` above has no `}`', hint: 'put `}`' },
  { text: 'a: [1, 2\n', said: '2:1 a `[` above has no `]`', hint: 'put `]`' },
  { text: '[1, 2\n', said: '2:1 a `[` above has no `]`', hint: 'put `]`' },
  { text: 'a: {b: 1}}\n', said: '1:10 there is no open bracket for this `}`', hint: 'remove it' },
  { text: 'a: [1]]\n', said: '1:7 there is no open bracket for this `]`', hint: 'remove it' },
  { text: 'a: b: c\n', said: '1:4 a value with `: ` in it needs quotes', hint: 'quotes' },
  { text: 'a: - b\n', said: '1:4 a list begins in the line of its key', hint: 'next line' },
  { text: "a: 'it's'\n", said: '1:8 something stands behind the end', hint: 'quotes' },
  { text: '- a\nb: 1\n', said: '2:1 this line belongs neither to the list', hint: 'begin an item with `- `' },
  { text: "a: 'x\nb: 1\n", said: "1:4 a text that begins with `'` has no end", hint: "`''`" },
  { text: 'b: 1\na: "x\n', said: '2:4 a text that begins with `"` has no end', hint: '`\\"`' },
  { text: 'a: "\\q"\n', said: '1:5 `\\q` is no character', hint: '`\\\\`' },
  { text: 'a: @x\n', said: '1:4 text cannot begin with `@`', hint: 'quotes' },
  { text: 'a: %x\n', said: '1:4 text cannot begin with `%`', hint: 'quotes' },
  { text: 'schedule: * * * * *\n', said: '1:11 text cannot begin with `*`', hint: 'quotes' },
  { text: 'a: | text\n', said: '1:6 text stands behind `|`', hint: 'next line' },
  { text: 'a: |2x\n b\n', said: '1:6 text stands behind `|`', hint: 'next line' },
  { text: 'a: "x"#c\n', said: '1:7 a space is missing before a comment', hint: 'space' },
  { text: 'a: !vault secret\n', said: '1:4 text that begins with `!` is a tag', hint: 'remove the tag' },
  { text: 'a: !x !y 1\n', said: '1:7 a value has two anchors or two tags', hint: 'remove one' },
  { text: 'a: &x *y\n', said: '1:7 a `*name` has no anchor', hint: 'remove' },
  { text: '&a: b\n', said: '1:3 a `:` stands at the end of the name', hint: 'space before' },
  { text: '--- a: 1\n', said: '1:5 `---` and `...` stand in a line of their own', hint: 'another line' },
]

/** What the library can say only of what is refused before it, or of what its own parser never does. */
const NEVER_SAID =
  /directive|Unsupported (?:token|YAML)|stringKeys|may be parsed as|Set items|Ordered maps|pair must|(?:sequence|mapping) for this tag|binary tags|must be unique|trailing content|empty stack|Expected a flow scalar|Not a YAML token|Unexpected \w+ token|Unresolved plain scalar/

describe('what is said of a text that is no YAML', () => {
  for (const { text, said, hint } of CASES) {
    it(`is in words of an author: ${JSON.stringify(text)}`, () => {
      const [found] = parseYaml(new SourceFile('a.yaml', text)).diagnostics
      expect(`${found?.line}:${found?.column} ${found?.message}`).to.include(said)
      expect(found?.hint).to.include(hint)
    })
  }

  it('is something for every message of the library', () => {
    const messages = libraryMessages()
    expect(messages.length).to.be.above(50)
    const unknown = messages.filter((message) => authorMessage({ message, before: '', rest: '' }) === UNREAD)
    expect(unknown).to.deep.equal([])
  })

  it('is something for a message that is not known', () =>
    expect(authorMessage({ message: 'Too blue', before: '', rest: '' })).to.equal(UNREAD))
})

/** The texts of the messages in the source of the library, with `X` for what it fills in. */
function libraryMessages(): readonly string[] {
  const folder = dirname(createRequire(import.meta.url).resolve('yaml'))
  const names = ['block-map', 'block-seq', 'block-scalar', 'end', 'flow-collection', 'flow-scalar', 'props']
  const files = [
    ...names.map((name) => `compose/resolve-${name}.js`),
    ...['collection', 'doc', 'node', 'scalar'].map((name) => `compose/compose-${name}.js`),
    ...['compose/composer.js', 'compose/util-flow-indent-check.js', 'parse/parser.js', 'doc/directives.js'],
  ]
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
  const isSaid = /onError\(|[mM]sg\b|message\b|^\s+[?:] `/
  const texts = lines
    .filter((line) => isSaid.test(line))
    .flatMap((line) => [...line.matchAll(TEXT)].map(([text]) => text))
  const messages = texts.map((text) =>
    text
      .slice(1, -1)
      .replaceAll(/\$\{[^}]*\}+/g, 'X')
      .replace(/^X (?=must|in)/, 'Flow map '),
  )
  return messages.filter((message) => /^[A-Z]\w* /.test(message) && !NEVER_SAID.test(message))
}

const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g
