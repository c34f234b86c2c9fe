import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { readSources, type SourceText } from '../architecture/source-tree.ts'
import { long } from '../support/long-tests.ts'
import { namesIn, type PrivateWord, privateWordFaults, termsIn, textWordFaults, textWordsIn } from './private-words.ts'

describe('docs/glossary.md', () => {
  const page = readFileSync('docs/glossary.md', 'utf8')
  const terms = termsIn(page)
  const words = terms.flatMap(({ not }) => not)

  it('explains terms, and names the words that they replace', () => {
    expect(terms.length).to.be.greaterThan(60)
    expect(words.length).to.be.greaterThan(25)
  })

  it('explains each term once', () => {
    const names = terms.map(({ name }) => name)
    expect(names).to.deep.equal([...new Set(names)])
  })

  long.it('holds the code to its words', () => {
    expect(privateWordFaults(readSources('src'), words)).to.deep.equal([])
  })

  it('holds comments, pages and titles of tests to its words', () => {
    const words = textWordsIn(page)
    expect(words).to.include('somebody')
    const pages = globSync(['*.md', 'docs/**/*.md'], { exclude: ['docs/site/node_modules'] })
    const texts = pages.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    expect(textWordFaults([...readSources('src'), ...readSources('test'), ...texts], words)).to.deep.equal([])
  })

  it('uses no word itself that it replaces', () => {
    const file = (name: string): SourceText => ({ path: `${name.replaceAll(/[^a-z]+/gi, '-')}.ts`, text: '' })
    expect(
      privateWordFaults(
        terms.map(({ name }) => file(name)),
        words,
      ),
    ).to.deep.equal([])
  })
})

describe('the test of docs/glossary.md itself', () => {
  const row = '| trigger | What caused a run. | Tekton | `wake`, `make way`, `visit` in `reconcile/` |\n'
  const words: readonly PrivateWord[] = termsIn(row).flatMap(({ not }) => not)
  const cases = [
    { name: 'a part of a name', path: 'base/a.ts', text: 'const wakeAll = 1', fault: 'base/a.ts: wake-all' },
    { name: 'a private member', path: 'base/a.ts', text: 'this.#wake()', fault: 'base/a.ts: wake' },
    { name: 'two parts', path: 'base/a.ts', text: 'makeWayFor(x)', fault: 'base/a.ts: make-way-for' },
    { name: 'a name in a template', path: 'base/a.ts', text: '`${wake} x`', fault: 'base/a.ts: wake' },
    { name: 'the name of a file', path: 'base/make-way.ts', text: '', fault: 'base/make-way.ts: make-way' },
    {
      name: 'a word of one folder',
      path: 'engine/reconcile/a.ts',
      text: 'visit',
      fault: 'engine/reconcile/a.ts: visit',
    },
    { name: 'no such word in another folder', path: 'base/a.ts', text: 'visit', fault: undefined },
    { name: 'no part alone of two', path: 'base/a.ts', text: 'make(way)', fault: undefined },
    { name: 'no word within a word', path: 'base/a.ts', text: 'awaken', fault: undefined },
    { name: 'no comment', path: 'base/a.ts', text: '/** wake */ a // wake\n', fault: undefined },
    { name: 'no text', path: 'base/a.ts', text: `'it\\'s wake' + "wake" + \`wake \${a}\``, fault: undefined },
    { name: 'no regular expression', path: 'base/a.ts', text: `= /['"]wake/.exec(a)`, fault: undefined },
  ]
  for (const { name, path, text, fault } of cases) {
    it(`sees ${name}`, () => {
      expect(privateWordFaults([{ path, text }], words)).to.deep.equal(fault === undefined ? [] : [fault])
    })
  }

  const WORD = 'somebody'
  const texts = [
    { name: 'a word in a comment', path: 'a.ts', text: '/** Somebody has it. */', isFault: true },
    { name: 'a word in a title', path: 'a.ts', text: `it('is of ${WORD}', () => 1)`, isFault: true },
    { name: 'a word on a page', path: 'a.md', text: 'Somebody has it.', isFault: true },
    { name: 'no name in the code', path: 'a.ts', text: "const user = 'somebody'", isFault: false },
    { name: 'no code on a page', path: 'a.md', text: 'The user `somebody`', isFault: false },
  ]
  for (const { name, path, text, isFault } of texts) {
    it(`sees in texts ${name}`, () => {
      expect(textWordFaults([{ path, text }], [WORD])).to.have.length(isFault ? 1 : 0)
    })
  }

  it('knows the words of its table', () => {
    const table =
      '## Words of texts\n\n| Not | Say |\n| --- | --- |\n| `somebody` | a user |\n\n## Other\n\n| `b` | c |\n'
    expect(textWordsIn(table)).to.deep.equal(['somebody'])
  })

  it('sees the names around a text that it leaves out', () => {
    expect(namesIn(`a + 'b' + c`)).to.deep.equal([['a'], ['c']])
  })
})
