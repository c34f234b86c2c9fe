import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { faultOfTest } from './named-test.ts'

const page = readFileSync('SECURITY.md', 'utf8')

interface Row {
  readonly section: string
  readonly threat: string
  readonly tests: readonly string[]
}

/** The rows of the tables of threats: those with four columns. */
function rowsOf(text: string): readonly Row[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    section = /^## (.*)/.exec(line)?.[1] ?? section
    const [, threat = '', , , proof, end] = line.split('|').map((cell) => cell.trim())
    if (proof === undefined || end === undefined || threat === 'Threat' || threat.startsWith('---')) return []
    return [{ section, threat, tests: [...proof.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1] ?? '') }]
  })
}

describe('the threats of SECURITY.md', () => {
  const rows = rowsOf(page)

  it('each name a test', () => {
    expect(rows.filter(({ tests }) => tests.length === 0)).to.deep.equal([])
    expect(rows.length).to.be.at.least(25)
  })

  it('name tests that are there', () => {
    expect(rows.flatMap(({ tests }) => tests.flatMap((test) => faultOfTest(test) ?? []))).to.deep.equal([])
  })

  it('are of D1 to D6', () => {
    const sections = [...new Set(rows.map(({ section }) => section.slice(0, 2)))]
    expect(sections).to.deep.equal(['D1', 'D2', 'D3', 'D4', 'D5', 'D6'])
  })

  it('name scripts that are there', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const named = [...page.matchAll(/`npm run ([\w:]+)`/g)].map((match) => match[1])
    expect(named.filter((name) => scripts[name ?? ''] === undefined)).to.deep.equal([])
  })

  const WRONG: readonly { readonly name: string; readonly test: string }[] = [
    { name: 'a file that is not there', test: 'test/docs/none.test.ts' },
    { name: 'a title that is not there', test: 'test/docs/security.test.ts › the threats of SECURITY.md › are none' },
  ]
  for (const { name, test } of WRONG) it(`are refused with ${name}`, () => expect(faultOfTest(test)).to.be.a('string'))
})
