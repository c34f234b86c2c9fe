import type { Bindings, Expression } from '../../expression/compile-expression.ts'
import { namePlace } from '../../expression/name-place.ts'
import { TaskFailure } from '../task-outcome.ts'
import { Scope } from './scope.ts'

/**
 * The answer of a condition (`when`, `wait.for`, `assert.that`, `readyWhen`): true or false, and nothing is false.
 *
 * `place` is how messages name it. Defaults to `the condition`.
 *
 * @throws TaskFailure for anything else, because what counts as true is a matter of opinion
 * @throws ExpressionError
 */
export function evaluateCondition(condition: Expression, bindings: Bindings, place = 'the condition'): boolean {
  const answer = namePlace(place, () => condition.evaluate(bindings))
  if (answer === undefined || typeof answer === 'boolean') {
    if (bindings instanceof Scope) bindings.tracer?.answered(place, condition.source, answer ?? false)
    return answer ?? false
  }
  throw new TaskFailure('Failed', `${place} yields ${typeName(answer)}, not true or false: write \`$exists(…)\``, {
    field: place,
  })
}

/** The type of a value as messages name it, never the value: it may be secret. */
function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}
