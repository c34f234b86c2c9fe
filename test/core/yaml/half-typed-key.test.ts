import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

interface HalfTyped {
  readonly name: string
  readonly text: string
  /** Line, column and hint of each mistake. */
  readonly mistakes: readonly string[]
}

const CASES: readonly HalfTyped[] = [
  {
    name: 'the last key of a map',
    text: 'spec:\n  replicas: 3\n  memory\n',
    mistakes: ['3:3 write a value: `memory: …`'],
  },
  {
    name: 'the last key of a map, before a map around it goes on',
    text: 'spec:\n  replicas: 3\n  mem\nother: 1\n',
    mistakes: ['3:3 write a value: `mem: …`'],
  },
  {
    name: 'a key in the middle of a map',
    text: 'spec:\n  replicas: 3\n  mem\n  image: x\n',
    mistakes: ['3:3 write a value: `mem: …`'],
  },
  { name: 'the first key of a map', text: 'spec:\n  mem\n  image: x\n', mistakes: ['2:3 write a value: `mem: …`'] },
  { name: 'the first key of a file', text: 'mem\nspec: 1\n', mistakes: ['1:1 write a value: `mem: …`'] },
  {
    name: 'the last key of a list item',
    text: 'tasks:\n  - name: a\n    fai\n  - name: b\n',
    mistakes: ['3:5 write a value: `fai: …`'],
  },
  {
    name: 'the first key of a list item',
    text: 'tasks:\n  - nam\n    fail: {}\n',
    mistakes: ['2:5 write a value: `nam: …`'],
  },
  {
    name: 'a key behind a list',
    text: 'spec:\n  a:\n    - x\n  temp\n',
    mistakes: ['4:3 write a value: `temp: …`'],
  },
  {
    name: 'a key behind a block of text',
    text: 'spec:\n  a: |\n    x\n  temp\n',
    mistakes: ['4:3 write a value: `temp: …`'],
  },
  {
    name: 'a key behind a text in quotes, with a comment',
    text: 'spec:\n  a: "x"\n  temp # later\n  b: 1\n',
    mistakes: ['3:3 write a value: `temp: …`'],
  },
  {
    name: 'a key behind lines that are empty or comments',
    text: 'spec:\n  a: 1\n\n  # why\n  temp\n\nb: 1\n',
    mistakes: ['5:3 write a value: `temp: …`'],
  },
  { name: 'a key in quotes', text: 'a: 1\n"b.c/d"\n', mistakes: ['2:1 write a value: `"b.c/d": …`'] },
  {
    name: 'several keys',
    text: 'a:\n  b: 1\n  m\n  n\n  c: 2\n  o\n  d: 3\n',
    mistakes: ['3:3 write a value: `m: …`', '4:3 write a value: `n: …`', '6:3 write a value: `o: …`'],
  },
  {
    name: 'a key of a map without its colon',
    text: 'spec:\n  a: 1\n  temp\n    b: 1\n',
    mistakes: ['3:3 write the key as `temp:`'],
  },
  {
    name: 'a key without a space behind its colon',
    text: 'spec:\n  a: 1\n  memory:5\n',
    mistakes: ['3:3 write the line as `memory: 5`'],
  },
  {
    name: 'a value behind `=`',
    text: 'spec:\n  a: 1\n  memory=5 # MiB\n  b: 1\n',
    mistakes: ['3:3 write the line as `memory: 5`'],
  },
  {
    name: 'a value without a colon, or a text that goes on',
    text: 'spec:\n  a: 1\n  memory 5\n',
    mistakes: ['3:3 write the line as `memory: 5`, or indent the line further if it goes on with the text above'],
  },
  {
    name: 'a word between the items of a list',
    text: 'tasks:\n  - name: a\n  gen\n  - name: b\n',
    mistakes: ['3:3 begin an item with `- `, or indent the line as the keys of the item above'],
  },
  {
    name: 'a key that begins too far to the left',
    text: 'spec:\n    a: 1\n  temp\n',
    mistakes: ['3:3 indent the line by 4 spaces, and write a value: `temp: …`'],
  },
  {
    name: 'a key that begins too far to the right',
    text: 'spec:\n a: "x"\n   temp\n',
    mistakes: ['3:4 indent the line by 1 space, and write a value: `temp: …`'],
  },
]

describe('a key that is half typed', () => {
  for (const { name, text, mistakes } of CASES) {
    it(`is found where it stands: ${name}`, () => {
      const { diagnostics } = parseYaml(new SourceFile('a.yaml', text))
      expect(diagnostics.map(({ line, column, hint }) => `${line}:${column} ${hint}`)).to.deep.equal(mistakes)
    })
  }

  it('is no line of a block of text', () => {
    const { diagnostics } = parseYaml(new SourceFile('a.yaml', 'a: |\n    x\n  y\n'))
    expect(diagnostics[0]?.message).to.include('this line begins')
  })

  it('is no other mistake than a quote or bracket that is open', () => {
    for (const text of ['a: "x\nword\nb: 1\n', 'a: [x\nword\nb: 1\n']) {
      const { diagnostics } = parseYaml(new SourceFile('a.yaml', text))
      expect(diagnostics.map(({ hint = '' }) => hint).join()).not.to.include('write')
    }
  })

  it('is named by the parser alone where the file is too long to be read again', () => {
    const { diagnostics } = parseYaml(
      new SourceFile('a.yaml', `# ${'x'.repeat(150_000)}\nspec:\n  replicas: 3\n  mem\n`),
    )
    expect(diagnostics.map(({ line, message }) => `${line}: ${message}`)).to.deep.equal([
      '4: a line without `:` stands where a key is wanted',
    ])
  })

  const role = readFileSync(`${import.meta.dirname}/../../rolebook/lsp/right-role.yaml`, 'utf8').split('\n')
  for (const [index, line] of role.entries()) {
    const [, before = '', key = ''] = /^( *(?:- )*)(\w+):/.exec(line) ?? []
    if (key === '') continue
    it(`is found in line ${index + 1} of a role: ${line.trim()}`, () => {
      const text = role.with(index, `${before}${key.slice(0, 2)}`).join('\n')
      const { diagnostics } = parseYaml(new SourceFile('role.yaml', text))
      expect(diagnostics.map((one) => one.line).filter((found) => found !== index + 1)).to.deep.equal([])
    })
  }
})
