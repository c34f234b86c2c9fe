import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'

const FOLDER = 'docs/decisions'
const HEADINGS = ['Context', 'Decision', 'Refused alternatives', 'Consequences']
const LINES = { least: 15, most: 45 }

interface Page {
  readonly name: string
  readonly text: string
}

/** What is wrong with a page on its own. */
function faultsOf({ name, text }: Page, sources: readonly string[]): readonly string[] {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1])
  const lines = text.trimEnd().split('\n').length
  const missing = pathsIn(text).filter((path) => !sources.some((source) => `/${source}/`.includes(`/${path}`)))
  return [
    ...(titleOf({ name, text }) === undefined ? [`${name} does not begin with "# ${name.slice(0, 4)}: "`] : []),
    ...(headings.join() === HEADINGS.join() ? [] : [`${name} has the headings ${headings.join(', ')}`]),
    ...(lines >= LINES.least && lines <= LINES.most ? [] : [`${name} has ${lines} lines`]),
    ...missing.map((path) => `${name} names ${path}, which is not there`),
  ]
}

function titleOf({ name, text }: Page): string | undefined {
  const [, number, title] = /^# (\d{4}): (.+)\n/.exec(text) ?? []
  return number === name.slice(0, 4) ? title : undefined
}

/** Files and folders of `src` that a page names. The areas above them are left out, so that pages outlive a move. */
function pathsIn(text: string): readonly string[] {
  const named = [...text.matchAll(/`([a-z-]+(?:\/[a-z-]+)*\/(?:[a-z-]+\.ts)?)`/g)].map((match) => match[1] ?? '')
  return named.filter((path) => !/^(docs|test)\//.test(path))
}

function numberFaults(names: readonly string[]): readonly string[] {
  return names
    .map((name, index) => ({ name, expected: String(index + 1).padStart(4, '0') }))
    .filter(({ name, expected }) => !name.startsWith(`${expected}-`))
    .map(({ name, expected }) => `${name} stands where ${expected} is expected`)
}

describe('docs/decisions', () => {
  const names = readdirSync(FOLDER)
    .filter((name) => name !== 'README.md')
    .sort()
  const pages = names.map((name) => ({ name, text: readFileSync(`${FOLDER}/${name}`, 'utf8') }))
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })

  it('has pages with gapless numbers', () => expect(numberFaults(names)).to.deep.equal([]))

  it('has pages of one form, which name files that are there', () => {
    expect(pages.flatMap((page) => faultsOf(page, sources))).to.deep.equal([])
  })

  it('has an index that equals the pages', () => {
    const index = readFileSync(`${FOLDER}/README.md`, 'utf8')
    const lines = pages.map((page) => `- [${page.name.slice(0, 4)}](${page.name}) ${titleOf(page)}`)
    expect(index.split('\n').filter((line) => line.startsWith('- ['))).to.deep.equal(lines)
  })

  it('links to pages that are there', () => {
    const links = pages.flatMap(({ text }) => [...text.matchAll(/\]\((\d{4}[^)]*)\)/g)].map((match) => match[1]))
    expect(links.filter((link) => !names.includes(link ?? ''))).to.deep.equal([])
    expect(links).to.have.length.at.least(3)
  })
})

describe('the test of docs/decisions itself', () => {
  const good = `# 0001: A title\n${HEADINGS.map((heading) => `\n## ${heading}\n\nText.\n\`base/json.ts\`\n`).join('')}`
  const cases = [
    { name: 'accepts a good page', text: good, fault: undefined },
    {
      name: 'sees a heading that is missing',
      text: good.replace('## Context', '## Why'),
      fault: 'has the headings Why',
    },
    { name: 'sees another number', text: good.replace('0001', '0002'), fault: 'does not begin with "# 0001: "' },
    { name: 'sees a page that is too long', text: good + 'More.\n'.repeat(60), fault: 'has 81 lines' },
    { name: 'sees a file that is gone', text: good.replace('json.ts', 'gone.ts'), fault: 'names base/gone.ts' },
  ]
  for (const { name, text, fault } of cases) {
    it(name, () => {
      const faults = faultsOf({ name: '0001-a-title.md', text }, ['core/base/json.ts']).join('\n')
      if (fault === undefined) expect(faults).to.equal('')
      else expect(faults).to.include(fault)
    })
  }

  it('sees a gap in the numbers', () => {
    expect(numberFaults(['0001-a.md', '0003-b.md'])).to.deep.equal(['0003-b.md stands where 0002 is expected'])
  })
})
