import { expect } from 'chai'
import type { JsonPath } from '../../../src/core/base/json.ts'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../../src/core/yaml/parsed-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

function parse(text: string): ParsedYaml {
  const { documents, diagnostics } = parseYaml(new SourceFile('f.yaml', text))
  expect(diagnostics).to.deep.equal([])
  return documents[0]!
}

function textAt(document: ParsedYaml, ...place: Parameters<ParsedYaml['locate']>): string {
  const { source, start, end } = document.locate(...place)
  return source.text.slice(start, end)
}

describe('ParsedYaml.locate', () => {
  const text = [
    'tasks:',
    '  - name: First',
    '    list: [a, {b: "x y"}]',
    '  - &second {name: Second}',
    'again: *second',
  ].join('\n')
  const cases: { name: string; path: JsonPath; at: 'key' | 'value'; expected: string }[] = [
    { name: 'a value', path: ['tasks', 0, 'name'], at: 'value', expected: 'First' },
    { name: 'a key', path: ['tasks', 0, 'name'], at: 'key', expected: 'name' },
    { name: 'an item', path: ['tasks', 0, 'list', 0], at: 'value', expected: 'a' },
    { name: 'a value in flow style', path: ['tasks', 0, 'list', 1, 'b'], at: 'value', expected: '"x y"' },
    { name: 'a whole map', path: ['tasks', 0, 'list', 1], at: 'value', expected: '{b: "x y"}' },
    { name: 'a value behind an alias', path: ['again', 'name'], at: 'value', expected: 'Second' },
    {
      name: 'the map around a key that is missing',
      path: ['tasks', 1, 'kind'],
      at: 'value',
      expected: '{name: Second}',
    },
    {
      name: 'the map around a path that is missing',
      path: ['tasks', 1, 'a', 'b', 0],
      at: 'key',
      expected: '{name: Second}',
    },
  ]
  for (const { name, path, at, expected } of cases) {
    it(`finds ${name}`, () => expect(textAt(parse(text), path, at)).to.equal(expected))
  }

  it('finds the whole document', () => {
    expect(parse(text).locate([]).start).to.equal(0)
  })

  it('finds the key of a value that is not there', () => {
    expect(textAt(parse('? a\n? b'), ['b'])).to.equal('b')
  })

  it('finds the key of a value that is empty', () => {
    expect(textAt(parse('a:\nb: 1'), ['a'], 'key')).to.equal('a')
  })
})

describe('offsets inside scalars', () => {
  const marked = 'MARK'
  const notations: { name: string; text: string }[] = [
    { name: 'plain', text: 'k: some MARK text' },
    { name: 'plain over several lines', text: 'k: some\n  folded\n\n  MARK text' },
    { name: 'single-quoted', text: "k: 'some MARK text'" },
    { name: 'single-quoted with quotes', text: "k: 'it''s ''a'' MARK text'" },
    { name: 'single-quoted over several lines', text: "k: 'some  \n   folded\n\n\n   MARK text'" },
    { name: 'double-quoted', text: 'k: "some MARK text"' },
    { name: 'double-quoted with escapes', text: 'k: "\\"\\t\\x41\\u00e9\\U0001F600\\n MARK text"' },
    { name: 'double-quoted with long escapes of short characters', text: 'k: "\\U00000041\\U000000e9 MARK text"' },
    { name: 'double-quoted with an escaped line break', text: 'k: "some \\\n    joined MARK text"' },
    { name: 'double-quoted over several lines', text: 'k: "some\n\n  folded\n  MARK text"' },
    { name: 'literal', text: 'k: |\n  some\n    indented\n\n  MARK text\n' },
    { name: 'literal with a header', text: 'k: |2- # comment\n    deep\n  MARK text\n' },
    { name: 'literal with leading empty lines', text: 'k: |\n\n\n  MARK text\n' },
    { name: 'literal, on the first line', text: 'k: |-\n  MARK text' },
    { name: 'literal with a line of its start again', text: 'k: |\n  MAR\n  MARK text\n' },
    { name: 'folded', text: 'k: >\n  some\n  folded\n  MARK text\n' },
    { name: 'folded with empty lines', text: 'k: >-\n  some\n\n\n  folded\n  MARK text\n' },
    { name: 'folded with deeper lines', text: 'k: >\n  some\n    deeper\n    still\n  MARK text\n' },
    { name: 'in a list', text: 'k:\n  - |\n    some\n    MARK text\nz: 1' },
  ]
  for (const { name, text } of notations) {
    it(`are right in a scalar that is ${name}`, () => {
      const document = parse(text)
      const { k } = document.value as { k: string | readonly string[] }
      const [value, path] = typeof k === 'string' ? [k, ['k']] : [k[0]!, ['k', 0]]
      const offset = value.indexOf(marked)
      expect(offset, 'the value holds the mark').to.be.at.least(0)
      const range = document.locate(path, 'value', offset, marked.length)
      expect(range.start).to.equal(text.lastIndexOf(marked))
      expect(textAt(document, path, 'value', offset, marked.length)).to.equal(marked)
    })
  }

  it('in a block without text mean its end', () => {
    const { start } = parse('k: |+\n\n\nz: 1').locate(['k'], 'value', 1)
    expect(start).to.be.within(3, 8)
  })

  it('beyond the end mean the end', () => {
    const { start, end } = parse('k: "ab"').locate(['k'], 'value', 99)
    expect([start, end]).to.deep.equal([6, 6])
  })

  it('count in keys, too', () => {
    expect(textAt(parse('"a ${x} b": 1'), ['a ${x} b'], 'key', 4, 1)).to.equal('x')
  })
})
