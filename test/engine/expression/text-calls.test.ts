import { expect } from 'chai'
import { checkExpression } from '../../../src/engine/expression/check-expression.ts'
import { Budget, DEFAULT_LIMITS } from '../../../src/engine/expression/compile/budget.ts'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'
import type { ExpressionFunction, FunctionTable } from '../../../src/engine/expression/function-table.ts'
import { textCallsOf } from '../../../src/engine/expression/text-calls.ts'

const LOAD: ExpressionFunction = {
  name: 'load',
  signature: '<s:s>',
  doc: 'A text by its name.',
  example: '',
  run: ({ surroundings }, [name]) => `${name} ${surroundings.variable('who')}`,
  reads: (name) => ({ variables: new Set(['who']), inputPaths: [['metadata', name]] }),
}
const PLAIN: ExpressionFunction = { ...LOAD, name: 'plain', reads: undefined }
const functions: FunctionTable = new Map([LOAD, PLAIN].map((one) => [one.name, one]))

describe('functions that take a text in the source', () => {
  const calls: { source: string; expected: readonly string[] }[] = [
    { source: '$load("a")', expected: ['a 6+3'] },
    { source: 'spec.b & $load(\'a b\') & $load("c")', expected: ['a b 15+5', 'c 30+3'] },
    { source: '$load("a") ?? "none"', expected: ['a 6+3'] },
    { source: '[1, 2].($load("a"))', expected: ['a 14+3'] },
    { source: '$plain("a")', expected: [] },
    { source: '( $load := $plain; $load("a") )', expected: [] },
    { source: '$uppercase("$load")', expected: [] },
  ]
  for (const { source, expected } of calls) {
    it(`are found in ${source}`, () => {
      const found = textCallsOf(source, functions).map(({ text, position, length }) => `${text} ${position}+${length}`)
      expect(found).to.deep.equal(expected)
    })
  }

  const refused: { source: string; position: number }[] = [
    { source: '$load(spec.a)', position: 0 },
    { source: '$load("a" & "b")', position: 0 },
    { source: '$load("a", "b")', position: 0 },
    { source: '$load()', position: 0 },
    { source: '$load(?)', position: 0 },
    { source: '$map(["a"], $load)', position: 12 },
    { source: '"a" ~> $load', position: 7 },
    { source: '( $own := $load; $own("a") )', position: 10 },
  ]
  for (const { source, position } of refused) {
    it(`are refused in ${source}`, () => {
      const [problem, ...others] = checkExpression(source, { functions, variables: new Set() })
      expect(problem).to.include({ code: 'path-needed', position, length: '$load'.length })
      expect(others).to.deep.equal([])
      expect(() => compileExpression(source, { functions }))
        .to.throw()
        .with.property('code', 'E1207')
    })
  }

  it('read what they say, besides their argument', () => {
    const { variables, inputPaths } = compileExpression('spec.b & $mine & $load("a")', { functions })
    expect([...variables]).to.deep.equal(['mine', 'who'])
    expect(inputPaths).to.deep.equal([
      ['spec', 'b'],
      ['metadata', 'a'],
    ])
  })

  it('see what the whole expression was given', () => {
    const bindings = { input: {}, variable: (name: string) => (name === 'who' ? 'me' : undefined) }
    expect(compileExpression('$load("a")', { functions }).evaluate(bindings)).to.equal('a me')
  })

  it('may evaluate with the budget of the expression around them', () => {
    const expression = compileExpression('$count([1..100])', { functions })
    const budget = new Budget({ ...DEFAULT_LIMITS, steps: 300 })
    const bindings = { input: {}, variable: () => undefined }
    expect(expression.evaluate(bindings, budget)).to.equal(100)
    const again = (): unknown => [1, 2].map(() => expression.evaluate(bindings, budget))
    expect(again).to.throw().with.property('code', 'E1001')
  })
})
