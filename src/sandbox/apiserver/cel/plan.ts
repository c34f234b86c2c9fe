import type { CelRuntimeError } from './cel-error.ts'
import type { CheckedExpr } from './checked-expr.ts'
import type { CelCall, CelEnvironment } from './environment.ts'
import type { Expr } from './expr.ts'
import type { CelValue } from './values.ts'

/** A part of an expression that can run. */
export type Step = (frame: Frame) => CelValue

/** The state of one run: what names stand for, and what has been spent. */
export interface Frame extends CelCall {
  variable(name: string): CelValue
  /** The variables of macros, by their place. */
  readonly locals: (CelValue | CelRuntimeError)[]
}

/** Where the variables of macros stand in `Frame.locals`. */
export type Locals = ReadonlyMap<string, number>

export interface Planner {
  readonly checked: CheckedExpr
  readonly environment: CelEnvironment
  /** Plans a part of the expression. */
  plan(expr: Expr, locals: Locals): Step
}

/** A step that costs one itself. */
export function charged(step: Step): Step {
  return (frame) => {
    frame.spend(1)
    return step(frame)
  }
}
