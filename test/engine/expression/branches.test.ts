import { expect } from 'chai'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'

interface Case {
  readonly source: string
  readonly input: { readonly [key: string]: number | boolean }
  /** Ways that are taken, by operator. */
  readonly taken: readonly string[]
}

const cases: readonly Case[] = [
  { source: 'a ? 1 : 2', input: { a: true }, taken: ['?: 0'] },
  { source: 'a ? 1 : 2', input: {}, taken: ['?: 1'] },
  { source: 'a ? 1', input: {}, taken: ['?: 1'] },
  { source: 'a ?? 2', input: { a: 1 }, taken: ['?? 0'] },
  { source: 'a ?? 2', input: {}, taken: ['?? 1'] },
  { source: 'a and b', input: { a: false }, taken: ['and 0'] },
  { source: 'a and b', input: { a: true }, taken: ['and 1'] },
  { source: 'a or b', input: { a: true }, taken: ['or 0'] },
  { source: 'a or b', input: {}, taken: ['or 1'] },
  { source: '[1, 2].(a or $ = 2)', input: {}, taken: ['or 1', 'or 1'] },
  { source: 'a or (b ? c ?? 1 : 2)', input: { b: true }, taken: ['or 1', '?: 0', '?? 1'] },
]

describe('branches of expressions', () => {
  for (const { source, input, taken } of cases) {
    it(`${source} of ${JSON.stringify(input)} goes ${taken.join(', ')}`, () => {
      const seen: string[] = []
      const expression = compileExpression(source, {
        functions: new Map(),
        branches:
          ({ operator }) =>
          (way) =>
            void seen.push(`${operator} ${way}`),
      })
      expression.evaluate({ input, variable: () => undefined })
      expect(seen).to.deep.equal(taken)
    })
  }

  it('are reported when the expression is compiled, whether they are taken or not', () => {
    const reported: string[] = []
    const branches = ({ source, operator }: { source: string; operator: string }) => {
      reported.push(`${operator} ${source}`)
      return () => undefined
    }
    compileExpression('a ? b ?? 1 : 2', { functions: new Map(), branches })
    expect(reported).to.have.members(['?? a ? b ?? 1 : 2', '?: a ? b ?? 1 : 2'])
  })
})
