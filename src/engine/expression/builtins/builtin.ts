import type { JsonValue } from '../../../core/base/json.ts'
import type { Budget } from '../compile/budget.ts'
import type { FunctionValue, Value } from '../value.ts'

/** A function of the language as data: the evaluator knows none of them by name. */
export interface Builtin {
  readonly name: string
  /** In JSONata's notation: `<s-nn?:s>`. Arguments are checked and completed by it before `run` sees them. */
  readonly signature: string
  /** `args` has the length of the signature; what was not given is `undefined`. */
  readonly run: (call: Call, args: readonly Value[]) => Value
}

/** What a function may use of the evaluation that calls it. */
export interface Call {
  readonly budget: Budget
  /** What the whole expression was given. */
  readonly surroundings: { readonly input: JsonValue; variable(name: string): JsonValue | undefined }
  /** The context item, `$`, where the function was called. */
  readonly input: Value
  /** Calls a function value (a lambda, a built-in) with as many of `args` as it takes. */
  apply(callee: FunctionValue, args: readonly Value[]): Value
}
