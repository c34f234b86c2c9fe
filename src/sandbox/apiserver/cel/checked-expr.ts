import type { CelIssue } from './cel-error.ts'
import type { CelType } from './cel-type.ts'
import type { Overload } from './environment.ts'
import type { CallExpr, Expr } from './expr.ts'

/** What is known of an expression after checking. */
export interface CheckedExpr {
  readonly expr: Expr
  readonly issues: readonly CelIssue[]
  typeOf(expr: Expr): CelType
  /** All names that are used, other than those of macros. */
  readonly names: ReadonlySet<string>
  /** The name that an identifier or a chain of selections stands for. */
  nameOf(expr: Expr): string | undefined
  /** The signatures that may be meant by a call; more than one when arguments are dynamic. */
  overloadsOf(expr: Expr): readonly Overload[]
  /** The call has no receiver: what stands before the name is part of it. */
  isNamespaced(expr: CallExpr): boolean
}
