import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { RULES_PAGE, type Rule, readRules, ruleTable } from '../../bin/reference/rules.ts'
import { long } from '../support/long-tests.ts'
import { faultOfTest } from './named-test.ts'
import { TestTitles } from './test-titles.ts'

const page = readFileSync(RULES_PAGE, 'utf8')
const rules = readRules()

/** What is wrong with a test that is said to prove a rule: only one test can, not a whole file. */
function faultOf(test: string): string | undefined {
  return test.includes(' › ') ? faultOfTest(test) : `${test} has no title`
}

const faultsOf = (all: readonly Rule[]): readonly string[] =>
  all.flatMap(({ tests }) => tests.flatMap((test) => faultOf(test) ?? []))

describe('the table of rules of the role language', () => {
  long.it('names tests that are there', () => {
    expect(faultsOf(rules)).to.deep.equal([])
  })

  it('has every section, and a test for every rule, each rule once', () => {
    expect([...new Set(rules.map(({ section }) => section))]).to.deep.equal([...'123456789'])
    expect(rules.filter(({ tests }) => tests.length === 0)).to.deep.equal([])
    const texts = rules.map(({ section, rule }) => `${section} ${rule}`)
    expect(texts).to.deep.equal([...new Set(texts)])
  })

  it('is on the page as the rules are', () => {
    expect(page, 'npm run generate').to.include(`-->\n${ruleTable(rules)}<!-- end of rules -->`)
  })

  const wrong: readonly { readonly name: string; readonly test: string; readonly says: string }[] = [
    { name: 'a file that is not there', test: 'test/docs/none.test.ts › x', says: 'no file' },
    { name: 'a file without titles', test: 'test/docs/rules.test.ts', says: 'no title' },
    {
      name: 'a broken case that is not there',
      test: 'test/rolebook/broken/roles/yaml.md › none',
      says: 'has the title',
    },
    {
      name: 'another title',
      test: 'test/engine/role/run/role-input.test.ts › roleInput › is thawed',
      says: 'has the title',
    },
    {
      name: 'a row that is not there',
      test: 'test/engine/role/run/run-role.test.ts › runRole › sees to none of it',
      says: 'has',
    },
    { name: 'a describe alone', test: 'test/engine/role/run/role-input.test.ts › roleInput', says: 'has the title' },
    {
      name: 'the title of another describe',
      test: 'test/engine/operator/run/order.test.ts › a task that waits › goes in reverse order with the resource',
      says: 'has the title',
    },
  ]
  for (const { name, test, says } of wrong) {
    it(`is refused with ${name}`, () => {
      expect(faultsOf([{ section: '4', rule: 'x', tests: [test] }]).join()).to.include(says)
    })
  }
})

describe('titles that are read from the source of tests', () => {
  const source = `
describe('a, it\\'s', () => {
  for (const { name, code } of ROWS) {
    it(\`\${code}: refuses \${name}\`, () => {})
  }
  describe("b", function () {
    it(
      'c',
      () => {},
    )
    for (const name of ['d', \`e \${1}\`]) it(name, () => {})
  })
  it(\`prints \${JSON.stringify(value)}\`, () => {})
})
`
  const titles = new TestTitles(source, ["{ name: 'x: y', code: 'RB1' }, '\\n'"])
  const cases: readonly { readonly titles: readonly string[]; readonly found: boolean }[] = [
    { titles: ["a, it's", 'RB1: refuses x: y'], found: true },
    { titles: ["a, it's", 'RB2: refuses x: y'], found: false },
    { titles: ["a, it's", 'b', 'c'], found: true },
    { titles: ["a, it's", 'c'], found: false },
    { titles: ['b', 'c'], found: false },
    { titles: ["a, it's", 'b', 'd'], found: true },
    { titles: ["a, it's", 'b', 'e 5'], found: true },
    { titles: ["a, it's", 'b', 'f'], found: false },
    { titles: ["a, it's", 'prints "\\n"'], found: true },
    { titles: ["a, it's", 'prints 3'], found: true },
    { titles: ["a, it's", 'prints "z"'], found: false },
  ]
  for (const { titles: given, found } of cases) {
    it(`${found ? 'are' : 'are not'} ${given.join(' › ')}`, () => expect(titles.has(given)).to.equal(found))
  }
})
