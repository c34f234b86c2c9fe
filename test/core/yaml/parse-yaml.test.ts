import { expect } from 'chai'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { parseYaml, type YamlOptions } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { long } from '../../support/long-tests.ts'

const parse = (text: string, options: YamlOptions = { single: true }) =>
  parseYaml(new SourceFile('f.yaml', text), options)

/** `code:line:column` of everything that is wrong. */
const problems = (text: string, options?: YamlOptions): string[] => placesOf(parse(text, options).diagnostics)

const placesOf = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ code, line, column }) => `${code}:${line}:${column}`)

const bomb = [
  'a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]',
  ...['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((key, index) => {
    const below = `*${'abcdefgh'[index]}`
    return `${key}: &${key} [${Array(10).fill(below).join(', ')}]`
  }),
].join('\n')

describe('parseYaml', () => {
  const refused: { name: string; text: string; expected: string[]; long?: true }[] = [
    { name: 'nothing at all', text: '', expected: ['RB1014:1:1'] },
    { name: 'nothing but a comment', text: '# later\n', expected: ['RB1014:1:1'] },
    { name: 'an empty document', text: '---\n', expected: ['RB1014:1:1'] },
    { name: 'a second document', text: 'a: 1\n---\nb: 2\n', expected: ['RB1012:2:1'] },
    { name: 'an empty second document', text: '---\na: 1\n---\n', expected: ['RB1012:3:1'] },
    { name: 'a second document after the end of the first', text: 'a: 1\n...\nb', expected: ['RB1012:3:1'] },
    { name: 'a byte order mark', text: '\uFEFFa: 1', expected: ['RB1003:1:1'] },
    { name: 'carriage returns', text: 'a: 1\r\nb: 2\r\n', expected: ['RB1003:1:5'] },
    { name: 'a NUL', text: 'a: b\u0000c', expected: ['RB1003:1:5'] },
    { name: 'an escape of a terminal', text: 'a: 1\nb: \u001b[31m', expected: ['RB1003:2:4'] },
    { name: 'text that runs backwards', text: 'a: \u202etxet', expected: ['RB1003:1:4'] },
    { name: 'a tab as indentation', text: 'a:\n\tb: 1', expected: ['RB1004:2:1'] },
    { name: 'a tab before a value', text: 'a:\tb', expected: ['RB1004:1:3'] },
    { name: 'a tab in a plain scalar', text: 'a: b\tc', expected: ['RB1004:1:5'] },
    { name: 'a tab under a block scalar', text: 'c: |\n  x\n\tz: 1\n', expected: ['RB1001:3:1'] },
    { name: 'a duplicate key', text: 'a: 1\nb: 2\na: 3', expected: ['RB1005:3:1'] },
    { name: 'a duplicate key in a flow map', text: '{a: 1, "a": 2}', expected: ['RB1005:1:8'] },
    { name: 'an unknown tag', text: 'a: !vault secret', expected: ['RB1006:1:4'] },
    { name: 'a tag of other schemas', text: 'a: !!binary aGk=', expected: ['RB1006:1:4'] },
    { name: 'a merge key', text: 'a: &a {x: 1}\nb:\n  <<: *a', expected: ['RB1007:3:3'] },
    { name: 'a list as key', text: '? [a]\n: b', expected: ['RB1008:1:3'] },
    { name: 'no key', text: 'a: 1\n: b', expected: ['RB1008:2:1'] },
    { name: 'a number as key', text: '80: http', expected: ['RB1008:1:1'] },
    { name: 'a boolean as key', text: 'a:\n  true: x', expected: ['RB1008:2:3'] },
    { name: 'null as key', text: '~: x', expected: ['RB1008:1:1'] },
    { name: 'an alias as key', text: 'a: &a b\n*a : c', expected: ['RB1008:2:1'] },
    { name: 'the key __proto__', text: 'a: {__proto__: {b: 1}}', expected: ['RB1008:1:5'] },
    { name: 'the quoted key __proto__', text: '"__proto__": 1', expected: ['RB1008:1:1'] },
    { name: 'an unknown alias', text: 'a: *b', expected: ['RB1011:1:4'] },
    { name: 'an alias to what comes later', text: 'a: *b\nb: &b 1', expected: ['RB1011:1:4'] },
    { name: 'an alias that contains itself', text: 'a: &a [*a]', expected: ['RB1011:1:8'] },
    { name: 'an alias bomb', text: bomb, expected: ['RB1011:5:36'] },
    { name: 'a tagged integer beyond 2^53', text: 'a: !!int 9007199254740993', expected: ['RB1010:1:10'] },
    { name: 'a YAML directive', text: '%YAML 1.1\n---\na: 1', expected: ['RB1013:1:1'] },
    { name: 'a list that is not closed', text: 'a: [1,', expected: ['RB1001:1:7'] },
    { name: 'a quote that is not closed', text: "a: 'x", expected: ['RB1001:1:4'] },
    { name: 'a map in a line of a map', text: 'a: b: c', expected: ['RB1001:1:4'] },
    { name: 'a reserved character', text: 'a: `b`', expected: ['RB1001:1:4'] },
    { name: 'an unknown escape', text: 'a: "\\q"', expected: ['RB1001:1:5'] },
    { name: 'a key in a list', text: '- a\nb: 1', expected: ['RB1001:2:1'] },
    { name: 'an expression in a flow map without quotes', text: '{a: ${metadata.name}}', expected: ['RB1001:1:6'] },
    { name: 'two mistakes in two lines', text: 'a: 0644\nb: on', expected: ['RB1009:1:4', 'RB1009:2:4'] },
    { name: '101 levels of lists', text: `a: ${'['.repeat(101)}${']'.repeat(101)}`, expected: ['RB1002:1:104'] },
    { name: '100,000 brackets', text: '['.repeat(100_000), expected: ['RB1002:1:102'], long: true },
    { name: '200 levels of block maps', text: deepBlock(200), expected: ['RB1002:101:101'] },
    { name: 'more values than allowed', text: `[${'1,'.repeat(100_001)}]`, expected: ['RB1002:1:200000'], long: true },
    { name: 'a file of 2 MiB', text: `a: ${'x'.repeat(2 * 1024 * 1024)}`, expected: ['RB1002:1:1'] },
  ]
  for (const { name, text, expected, long: isLong = false } of refused) {
    long.when(isLong).it(`refuses ${name}`, () => {
      const { documents, diagnostics } = parse(text)
      expect(placesOf(diagnostics)).to.deep.equal(expected)
      expect(documents).to.deep.equal([])
    })
  }

  const scalars = [
    { code: 'RB1009', texts: ['yes', 'no', 'on', 'off', 'y', 'n', 'Yes', 'NO', 'On', 'OFF'] },
    { code: 'RB1009', texts: ['0644', '0o17', '0b11', '0x1F', '1_000', '-0', '+1', '00', '0_1'] },
    { code: 'RB1009', texts: ['1.10', '1.0', '5.', '.5', '1e3', '1E3', '1.5e-3', '3.14159265358979323846'] },
    { code: 'RB1009', texts: ['.inf', '-.inf', '.nan', '.NaN', '2026-01-01', '2026-1-1', '2026-01-01T10:00:00Z'] },
    { code: 'RB1009', texts: ['12:30', '12:30:45', '1:30.5'] },
    { code: 'RB1010', texts: ['9007199254740993', '-9007199254740993', '12345678901234567890', '1e+21'] },
  ]
  for (const { code, texts } of scalars) {
    for (const text of texts) {
      it(`refuses the plain scalar ${text}, as value and as key`, () => {
        expect(problems(`a:\n  - ${text}`)).to.deep.equal([`${code}:2:5`])
        expect(problems(`a:\n  ${text}: 1`)).to.deep.equal([`${code}:2:3`])
      })
      it(`reads "${text}" in quotes as text`, () => {
        expect(parse(`a: "${text}"`).documents[0]?.value).to.deep.equal({ a: text })
      })
    }
  }

  const accepted: { name: string; text: string; expected: unknown }[] = [
    {
      name: 'numbers as JSON writes them',
      text: '[0, 1, -1, 1.5, 0.001, 9007199254740991]',
      expected: [0, 1, -1, 1.5, 0.001, 9007199254740991],
    },
    { name: 'booleans and null', text: '[true, false, True, null, ~]', expected: [true, false, true, null, null] },
    { name: 'a key without value', text: 'a:', expected: { a: null } },
    { name: 'keys without colons', text: '? a\n? b', expected: { a: null, b: null } },
    {
      name: 'versions and names that only look like numbers',
      text: '[1.2.3, 8080-tcp, 1.4-alpine, v1]',
      expected: ['1.2.3', '8080-tcp', '1.4-alpine', 'v1'],
    },
    { name: 'the text of a tag', text: 'a: !!str 0644', expected: { a: '0644' } },
    { name: 'an alias', text: 'a: &a {x: [1]}\nb: *a', expected: { a: { x: [1] }, b: { x: [1] } } },
    { name: 'the last anchor of a name', text: 'a: &a 1\nb: &a 2\nc: *a', expected: { a: 1, b: 2, c: 2 } },
    {
      name: 'tabs inside quotes, block scalars and comments',
      text: 'a: "x\ty"\nb: |\n  x\ty\n# \t',
      expected: { a: 'x\ty', b: 'x\ty\n' },
    },
    {
      name: 'other words of prototypes as keys',
      text: '{constructor: 1, toString: 2}',
      expected: { constructor: 1, toString: 2 },
    },
    { name: 'a quoted << as key', text: '"<<": 1', expected: { '<<': 1 } },
    { name: 'an expression in a plain scalar', text: 'a: ${spec.size}', expected: { a: '${spec.size}' } },
  ]
  for (const { name, text, expected } of accepted) {
    it(`reads ${name}`, () => {
      expect(problems(text)).to.deep.equal([])
      expect(parse(text).documents[0]?.value).to.deep.equal(expected)
    })
  }

  it('gives values that cannot be changed', () => {
    const value = parse('a: &a {b: [1]}\nc: *a').documents[0]?.value as { a: { b: number[] } }
    expect(Object.isFrozen(value)).to.equal(true)
    expect(Object.isFrozen(value.a.b)).to.equal(true)
  })

  it('reads several documents where they are allowed, without the empty ones', () => {
    const { documents, diagnostics } = parse('---\na: 1\n---\n---\nb: 2\n---\n', {})
    expect(diagnostics).to.deep.equal([])
    expect(documents.map(({ value }) => value)).to.deep.equal([{ a: 1 }, { b: 2 }])
  })

  it('keeps anchors within their document', () => {
    expect(problems('a: &a 1\n---\nb: *a', {})).to.deep.equal(['RB1011:3:4'])
  })

  it('never says what a scalar holds', () => {
    const [problem] = parse('password: 0123456').diagnostics
    expect(`${problem?.message} ${problem?.hint}`).not.to.contain('123')
  })

  const quoted = [
    { text: 'a: {b: ${x}, c: 1}', hint: '"${x}"' },
    { text: 'a: [${x}]', hint: '"${x}"' },
    { text: 'a: ${b ? "x" : "y"}', hint: `'\${b ? "x" : "y"}'` },
    { text: 'a: ${b ? \'x\' : "y"}', hint: `'\${b ? ''x'' : "y"}'` },
    { text: '${a ? x : "b" & "c"}', hint: `'\${a ? x : "b" & "c"}'` },
    { text: '- {name: pre-${x}-post, v: 1}', hint: '"pre-${x}-post"' },
    { text: 'a: ${ {"k": v} }', hint: `'\${ {"k": v} }'` },
  ]
  for (const { text, hint } of quoted) {
    it(`shows how to quote ${text}`, () => {
      expect(parse(text).diagnostics[0]?.hint).to.contain(hint)
    })
  }

  it('comes to an end with an alias bomb', () => {
    expect(parse(bomb).diagnostics).not.to.deep.equal([])
  })

  long
    .it(
      'reports the first of many errors in a long line in linear time, and shows how to quote the end of the line',
      () => {
        // In quadratic time this takes more than half a minute, else less than a second.
        const [only, ...others] = parse(`${'"'.repeat(190_000)}\${a}`).diagnostics
        expect(others).to.deep.equal([])
        expect(only?.hint).to.contain('${a}')
      },
    )
    .timeout(10_000)

  long
    .it('reports the first of many quotes that are not closed in linear time, and where it is opened', () => {
      // In quadratic time this takes more than a minute, else a second.
      expect(problems('- "x\n'.repeat(40_000))).to.deep.equal(['RB1001:1:3'])
    })
    .timeout(10_000)

  it('leaves other errors their stacks', () => {
    const before = Error.stackTraceLimit
    expect(problems('}')).not.to.deep.equal([])
    expect(Error.stackTraceLimit).to.equal(before)
  })

  long.it('finds duplicate keys of a large map in linear time', () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `k${index}: a`).join('\n')
    expect(problems(`${keys}\nk7: b`)).to.deep.equal(['RB1005:40001:1'])
  })
})

function deepBlock(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:`).join('\n')
}
