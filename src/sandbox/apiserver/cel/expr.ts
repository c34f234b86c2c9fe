import type { CelValue } from './values.ts'

/** The syntax tree of an expression, with macros already replaced. `position` is where errors point. */
export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr

interface Node {
  readonly position: number
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal'
  readonly value: CelValue
}

export interface IdentExpr extends Node {
  readonly kind: 'ident'
  readonly name: string
}

export interface SelectExpr extends Node {
  readonly kind: 'select'
  readonly operand: Expr
  readonly field: string
  /** `has(operand.field)` */
  readonly test: boolean
}

/** A function, a method (`target`) or an operator (`_+_`). */
export interface CallExpr extends Node {
  readonly kind: 'call'
  readonly name: string
  readonly target?: Expr
  readonly args: readonly Expr[]
}

export interface ListExpr extends Node {
  readonly kind: 'list'
  readonly items: readonly { readonly value: Expr; readonly optional: boolean }[]
}

export interface MapExpr extends Node {
  readonly kind: 'map'
  readonly entries: readonly { readonly key: Expr; readonly value: Expr; readonly optional: boolean }[]
}

export interface StructExpr extends Node {
  readonly kind: 'struct'
  readonly typeName: string
  readonly fields: readonly StructField[]
}

export interface StructField extends Node {
  readonly name: string
  readonly value: Expr
  readonly optional: boolean
}

/** What all macros over lists and maps become: `accu` starts as `init` and takes each `step` while `condition` holds. */
export interface FoldExpr extends Node {
  readonly kind: 'fold'
  readonly range: Expr
  readonly variable: string
  /** With it, `variable` is the index or key, and this one the value. */
  readonly variable2?: string
  readonly accu: string
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}
