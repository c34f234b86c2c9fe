import { expect } from 'chai'
import { compareResults, type Results } from './table.ts'

const NAME = 'run_x_tests'
const passed: Results = new Map([[NAME, { name: NAME, passed: true, seconds: 1.4 }]])
const failed: Results = new Map([[NAME, { name: NAME, passed: false, seconds: 2 }]])
const none: Results = new Map()

describe("a function of kubectl's own scripts", () => {
  const cases = [
    { name: 'passes on both', sandbox: passed, real: passed, isUnexpected: false },
    { name: 'passes on the sandbox, the only one asked', sandbox: passed, real: undefined, isUnexpected: false },
    { name: 'fails on the sandbox', sandbox: failed, real: passed, isUnexpected: true },
    { name: 'fails on the sandbox with a reason', sandbox: failed, real: passed, reason: 'r', isUnexpected: false },
    { name: 'passes in spite of a reason', sandbox: passed, real: passed, reason: 'r', isUnexpected: true },
    { name: 'fails on the real server', sandbox: passed, real: failed, isUnexpected: true },
    { name: 'did not run on the sandbox', sandbox: none, real: passed, isUnexpected: true },
  ]
  for (const { name, sandbox, real, reason, isUnexpected } of cases) {
    it(`that ${name} is ${isUnexpected ? 'unexpected' : 'as expected'}`, () => {
      const [row] = compareResults([NAME], { sandbox, real }, reason === undefined ? {} : { [NAME]: reason })
      expect(row).to.deep.include({ isUnexpected, reason: reason ?? '' })
    })
  }

  it('is printed with its time', () => {
    const [row] = compareResults([NAME], { sandbox: passed, real: none }, {})
    expect(row).to.include({ sandbox: 'passed 1 s', real: 'not run' })
  })
})
