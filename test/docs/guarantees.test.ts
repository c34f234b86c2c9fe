import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { faultOfTest } from './named-test.ts'

const ROW = /^\| (?!---|Promise)(.+) \|$/gm
const PROOF = /\[[^\]]+\]\(\.\.\/(test\/[^)]+)\)((?: › `[^`]+`)*)/g

interface Guarantee {
  readonly promise: string
  readonly proofs: readonly { readonly path: string; readonly titles: readonly string[] }[]
  readonly exception: string
}

function guaranteesIn(page: string): readonly Guarantee[] {
  return [...page.matchAll(ROW)].map(([, row = '']) => {
    const [promise = '', proof = '', exception = ''] = row.split(' | ')
    const proofs = [...proof.matchAll(PROOF)].map(([, path = '', titles = '']) => {
      return { path, titles: [...titles.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title) }
    })
    return { promise, proofs, exception }
  })
}

/** What is wrong with a row of the page. */
function faultsOf({ promise, proofs, exception }: Guarantee): readonly string[] {
  if (proofs.length === 0) return [`"${promise}" names no test`]
  if (exception === '') return [`"${promise}" does not say where it does not hold`]
  const faults = proofs.flatMap(({ path, titles }) => faultOfTest([path, ...titles].join(' › ')) ?? [])
  return faults.map((fault) => `"${promise}": ${fault}`)
}

describe('docs/guarantees.md', () => {
  const guarantees = guaranteesIn(readFileSync('docs/guarantees.md', 'utf8'))

  it('lists promises', () => expect(guarantees.length).to.be.greaterThan(40))

  it('names for each promise a test that is there, and the case in which it does not hold', () => {
    expect(guarantees.flatMap(faultsOf)).to.deep.equal([])
  })

  it('is noticed when a test has another title', () => {
    const row = '| A | [x](../test/docs/guarantees.test.ts) › `docs/guarantees.md` › `sings` | always |\n'
    expect(guaranteesIn(row).flatMap(faultsOf)).to.deep.equal([
      '"A": no test of test/docs/guarantees.test.ts has the title docs/guarantees.md › sings',
    ])
  })
})
