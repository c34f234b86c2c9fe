import type { Expr } from '../../../sandbox/apiserver/cel/expr.ts'
import { textLiteral } from '../jsonata-text.ts'
import type { CelScope } from './cel-scope.ts'
import { type Translation, translation } from './translation.ts'

/** Translates a part of an expression. @throws Undecided */
export type ReadExpr = (expr: Expr, scope: CelScope) => Translation

/** The same where its value is wanted at once: what must be there for it is among its needs. */
export function settle(value: Translation, scope: CelScope): Translation {
  if (!value.pending) return value
  const { specPath } = value
  if (specPath === undefined) {
    const needs = scope.repeated ? value.needs : [...value.needs, `$exists(${value.text})`]
    return { ...value, pending: false, needs }
  }
  if (!scope.conditional) scope.needSpec(specPath)
  return { ...value, pending: false, optional: scope.conditional }
}

/** The same as an operand that would silently become something else were it missing: then the task fails, as in kro. */
export function demand(given: Translation, scope: CelScope): Translation {
  const value = settle(given, scope)
  if (!value.optional || value.specPath === undefined) return value
  const message = textLiteral(`${value.specPath.join('.')} is missing`)
  return translation(`(${value.text} ?? $error(${message}))`, { schema: value.schema, needs: value.needs })
}
