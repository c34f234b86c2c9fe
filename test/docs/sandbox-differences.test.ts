import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { EXPLAINED as OF_MANIFESTS } from '../corpora/differences.ts'
import { DIFFERENCES, LEFT_OUT } from '../kubectl-scripts/reasons.ts'
import { loadScripts } from '../sandbox/contract/load-scripts.ts'
import { EXPLAINED as OF_FIELDS } from '../sandbox/fields/explained.ts'
import { long } from '../support/long-tests.ts'

const PAGE = 'docs/sandbox-differences.md'

describe('the page on differences of the sandbox', () => {
  long.it('has a line for every reason for which answers are not compared, or may differ, and no other', async () => {
    const steps = [...(await loadScripts()).values()].flat()
    const reasons = new Set([
      ...steps.flatMap(({ differs }) => differs ?? []),
      ...[...OF_MANIFESTS, ...OF_FIELDS].map(({ reason }) => reason),
    ])
    const lines = [...readFileSync(PAGE, 'utf8').matchAll(/^- (.*)$/gm)].map((match) => match[1])
    expect(lines, `the lines of ${PAGE}`).to.have.members([...reasons])
  })

  it("names the functions of kubectl's own scripts that differ, or do not run, and no others", () => {
    const named = readFileSync(PAGE, 'utf8').match(/\brun_\w+/g)
    expect(named).to.have.members([...Object.keys(DIFFERENCES), ...Object.keys(LEFT_OUT)])
  })

  it('is linked from the pages that people come by', () => {
    expect(readFileSync('README.md', 'utf8')).to.include('docs/sandbox-differences.md')
    expect(readFileSync('docs/sandbox.md', 'utf8')).to.include('sandbox-differences.md')
  })
})
