import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { compileExpression } from '../../../../src/engine/expression/compile-expression.ts'
import { evaluateCondition } from '../../../../src/engine/role/run/evaluate-condition.ts'
import { TaskFailure } from '../../../../src/engine/role/task-outcome.ts'

const condition = compileExpression('answer', { functions: new Map() })
const evaluate = (answer: JsonValue | undefined): boolean =>
  evaluateCondition(condition, { input: { answer }, variable: () => undefined }, 'when')

describe('evaluateCondition', () => {
  it('takes true and false, and nothing for false', () => {
    expect([true, false, undefined].map(evaluate)).to.deep.equal([true, false, false])
  })

  const refused: { value: JsonValue; type: string }[] = [
    { value: 'hunter2', type: 'text' },
    { value: '', type: 'text' },
    { value: 0, type: 'a number' },
    { value: null, type: 'null' },
    { value: [true, false], type: 'a list' },
    { value: {}, type: 'an object' },
  ]
  for (const { value, type } of refused) {
    it(`refuses ${type}, and does not say which`, () => {
      expect(() => evaluate(value)).to.throw(TaskFailure, new RegExp(`^when yields ${type}, .*\\$exists`))
      expect(() => evaluate(value)).not.to.throw(/hunter/)
    })
  }
})
