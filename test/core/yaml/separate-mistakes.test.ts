import { expect } from 'chai'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

interface BrokenText {
  readonly name: string
  readonly text: string
  /** Line and code of each mistake. */
  readonly mistakes: readonly string[]
  /** Part of the first hint. */
  readonly hint?: string
}

const REST = 'b: ${[[0..n-1].($$.name & "x")]}\nc: 1\nd: [${x}]\n'

const BROKEN: readonly BrokenText[] = [
  {
    name: 'an expression in a flow map, before lines that are right',
    text: 'a: {x: ${y}}\nb: 1\nc: "${z}"\n',
    mistakes: ['1 RB1001'],
    hint: '"${y}"',
  },
  {
    name: 'two such lines',
    text: 'a: {x: ${y}}\nb: 1\nc: {x: ${z}}\n',
    mistakes: ['1 RB1001', '3 RB1001'],
    hint: '"${y}"',
  },
  {
    name: 'two expressions in one flow map',
    text: 'a: {x: ${y}, z: ${y}}\nb: 1\n',
    mistakes: ['1 RB1001'],
    hint: '"${y}"',
  },
  {
    name: 'an expression whose quotes are still open',
    text: 'a: { b: \'${$template("',
    mistakes: ['1 RB1001'],
  },
  {
    name: 'a choice without quotes',
    text: 'a: ${b ? c : d}\ne: ${f}\n',
    mistakes: ['1 RB1001'],
    hint: '"${b ? c : d}"',
  },
  { name: 'a quote that is not closed, before expressions', text: `a: "x\n${REST}`, mistakes: ['1 RB1001'] },
  {
    name: 'a bracket that is not closed, before expressions',
    text: 'a: [1, 2\nb: ${x}\nc: ${y}\n',
    mistakes: ['2 RB1001'],
  },
  {
    name: 'a template of Helm',
    text: 'a: {{ .Values.x }}-y\nb: ${x}\n',
    mistakes: ['1 RB1001'],
    hint: '"${spec.x}-y"',
  },
  {
    name: 'a template of Helm with the namespace of the release',
    text: 'a: {{ .Release.Namespace }}-y\nb: ${x}\n',
    mistakes: ['1 RB1001'],
    hint: '"${metadata.namespace}-y"',
  },
  {
    name: 'a template of Helm that is no path',
    text: 'a: {{ printf "%s" .Values.x }}-y\nb: 1\n',
    mistakes: ['1 RB1001'],
    hint: 'write an expression in quotes: "${spec.size}"',
  },
  {
    name: 'statements of Helm',
    text: 'a:\n  {{- if .Values.x }}\n  b: 1\n  {{- end }}\nd: ${x}: y\n',
    mistakes: ['2 RB1001', '5 RB1001'],
    hint: 'when:',
  },
  { name: 'a template of Jinja behind text', text: 'a: x-{{ y }}\n', mistakes: [] },
  {
    name: 'a block too far to the left, or the line behind it too far to the right',
    text: 'a:\n  b:\n    - c: 1\n      d: {}\n  e:\n    f: 1\n      g:\n        h: 1\n  i: 1\n',
    mistakes: ['7 RB1001'],
    hint: 'indent it by 4 spaces instead of 6, or lines 5 to 6 by 4 more',
  },
  {
    name: 'a line too far to the left, or that behind it too far to the right',
    text: 'a:\n  - b: 1\n    c: 1\n d: |\n    e: 1\n    f: {g: 1}\n',
    mistakes: ['4 RB1001'],
    hint: 'indent it by 4 spaces instead of 1',
  },
  { name: 'an indentation that fits nothing', text: 'a:\n  b: 1\n c: 2\nd: ${x}\n', mistakes: ['3 RB1001'] },
  {
    name: 'a line that begins too far to the right among those that are indented by one',
    text: 'a:\n b: "x"\n  c: 2\n d: 1\n',
    mistakes: ['3 RB1001'],
    hint: 'indent it by 1 space instead of 2',
  },
  { name: 'a tab, and an expression behind it', text: 'a:\n\tb: 1\nc: {x: ${y}}\n', mistakes: ['2 RB1004'] },
]

describe('the mistakes of a file that is not YAML', () => {
  for (const { name, text, mistakes, hint } of BROKEN) {
    it(`are found one by one: ${name}`, () => {
      const { diagnostics } = parseYaml(new SourceFile('a.yaml', text))
      expect(diagnostics.map(({ line, code }) => `${line} ${code}`)).to.deep.equal(mistakes)
      if (hint !== undefined) expect(diagnostics[0]?.hint).to.include(hint)
      // A hint about a line is about that line.
      for (const one of diagnostics)
        if (one.hint?.startsWith('YAML needs quotes')) expect(one.source?.line(one.line)).to.include('${')
    })
  }
})
