/** Which of two ways an expression goes: `true` or `false` of `? :`, the left or the right side of `??`, `and` and `or`. */
export type Way = 0 | 1

/** A place where an expression goes one way or the other. */
export interface Branch {
  /** Of the whole expression. */
  readonly source: string
  /** Just after the operator; 0 where that is not known. */
  readonly position: number
  readonly operator: '?:' | '??' | 'and' | 'or'
}

/** Called for every branch when its expression is compiled. What it returns is called for every way that is taken. For coverage. */
export type BranchObserver = (branch: Branch) => (way: Way) => void
