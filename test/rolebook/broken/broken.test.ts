import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type BrokenCase, brokenCases } from './broken-cases.ts'
import { parseCases, withExpectations } from './case-file.ts'
import { checkBroken } from './check-broken.ts'

describe('what is broken is reported', () => {
  for (const [subject, cases] of Map.groupBy(brokenCases(), subjectOf)) {
    describe(subject, () => {
      for (const one of cases) {
        it(one.name, async () => {
          const printed = await checkBroken(one)
          expect(printed, 'npm run broken:update writes what is printed now').to.equal(one.expected)
          expect(printed, 'a case without a finding').to.match(/RB\d{4}/)
        })
      }
    })
  }
})

function subjectOf({ place, file, given }: BrokenCase): string {
  return 'folder' in given ? place : `${place}/${basename(file, '.md')}`
}

describe('a file of broken cases', () => {
  const one = '## one\n\n```yaml\na: 1\n```\n\n```text\nprinted\n```\n'
  const fresh = '## two\n\n```yaml\n```\n'
  const page = `# Title\n\nProse.\n\n${one}\n${fresh}`

  it('holds cases with and without an expectation', () => {
    expect(parseCases(page)).to.deep.equal([
      { name: 'one', input: 'a: 1\n', expected: 'printed\n' },
      { name: 'two', input: '', expected: undefined },
    ])
  })

  it('is rewritten with other expectations, and nothing else changes', () => {
    const expected = new Map([['two', 'new\n']])
    expect(withExpectations(page, expected)).to.equal(`${page}\n\`\`\`text\nnew\n\`\`\`\n`)
    expect(withExpectations(page, new Map([['one', 'other\n']]))).to.equal(page.replace('printed', 'other'))
  })

  const wrong = [
    { name: 'a heading without a block', text: `## none\n\n${one}`, says: '## none' },
    { name: 'a block that is not closed', text: '## one\n\n```yaml\na: 1\n', says: '## one' },
    { name: 'a block without a heading', text: `${one}\n\`\`\`text\nmore\n\`\`\`\n`, says: '```text' },
    { name: 'a block of another language', text: one.replace('yaml', 'yml'), says: '## one' },
    { name: 'two cases of one name', text: `${one}\n${one}`, says: 'two cases' },
  ]
  for (const { name, text, says } of wrong) {
    it(`is refused with ${name}`, () => expect(() => parseCases(text)).to.throw(says))
  }
})

describe('the folders of broken cases', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('hold nothing that is no case', () => {
    mkdirSync(join(folder.path, 'roles'))
    writeFileSync(join(folder.path, 'roles/lonely.yaml'), 'tasks: []\n')
    expect(() => brokenCases(folder.path)).to.throw('lonely.yaml')
  })
})
