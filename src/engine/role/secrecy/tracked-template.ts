import { REDACTED } from '../../../core/base/redactor.ts'
import type { Bindings, Expression } from '../../expression/compile-expression.ts'
import type { Template } from '../../expression/compile-template.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import type { Flow } from '../../expression/flow/flow.ts'
import { Scope } from '../run/scope.ts'
import type { ValueFlow } from './value-flow.ts'

/** A template that knows which parts of its result may be made of Secrets, as far as its texts show that. */
export interface TrackedTemplate extends Template {
  /** What may flow into its result. */
  readonly flow: Flow
}

/** A template whose results the run tracks, so that it knows which parts are made of Secrets. */
export function trackedTemplate(template: Template, reading: ValueFlow): TrackedTemplate {
  return Object.freeze({
    ...template,
    flow: reading.flow,
    render(bindings: Bindings) {
      const value = withSafeErrors(reading, () => template.render(bindings))
      if (bindings instanceof Scope) bindings.secrecy.track(value, reading)
      return value
    },
  })
}

/** An expression whose errors show no values. Its result is not tracked: people never see it. */
export function trackedExpression(expression: Expression, reading: ValueFlow): Expression {
  if (reading.errors.length === 0) return expression
  const evaluate: Expression['evaluate'] = (bindings) => withSafeErrors(reading, () => expression.evaluate(bindings))
  return Object.freeze({ ...expression, evaluate })
}

/** `$error(…)` and a false `$assert(…)`, whose messages are the role's own. */
const OWN_ERRORS: readonly string[] = ['D3137', 'D3141']

function withSafeErrors<T>({ errors }: ValueFlow, evaluate: () => T): T {
  if (errors.length === 0) return evaluate()
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof ExpressionError && OWN_ERRORS.includes(error.code))) throw error
    throw new ExpressionError(error.phase, error.code, `${error.code}: ${REDACTED}`, {
      position: error.position,
      field: error.field,
    })
  }
}
