import { ExpressionError } from '../expression-error.ts'
import { type FunctionValue, isFunctionValue, type RegexValue, type Value } from '../value.ts'
import type { Code } from './code.ts'
import type { Frame, Run } from './frame.ts'

/**
 * A function of an evaluation: counts the calls that are open, says in errors where it was called, and runs tail calls
 * one after the other instead of within each other.
 *
 * All its state is private: a path such as `$f.position` finds nothing in a function.
 */
export abstract class Callable implements FunctionValue {
  protected readonly run: Run
  #token: string | undefined
  #position: number | undefined

  constructor(run: Run) {
    this.run = run
  }

  get functionValue(): true {
    return true
  }

  get regex(): RegexValue | undefined {
    return undefined
  }

  abstract get arity(): number

  /** Whether a call notes its place on the function, for errors. */
  get notesCalls(): boolean {
    return true
  }

  /** What a call counts for: large bodies need more of the machine's stack. */
  protected get levels(): number {
    return 1
  }

  protected abstract invoke(args: readonly Value[], input: Value): Value | TailCall

  /** The same with holes filled by `Partial`: what the library calls without looking at the signature. */
  fill(args: readonly Value[], input: Value): Value | TailCall {
    return this.invoke(args, input)
  }

  /** How many parameters it declares. */
  get parameterCount(): number {
    return this.arity
  }

  noteCall(position: number | undefined, token: string | undefined): void {
    this.#position = position
    this.#token = token
  }

  call(args: readonly Value[], input: Value): Value {
    let result = this.attempt(args, input)
    while (result instanceof TailCall) result = result.proceed(input)
    return result
  }

  /** One call, without the tail calls that it ends in. */
  attempt(args: readonly Value[], input: Value): Value | TailCall {
    const { budget } = this.run
    const { levels } = this
    budget.step()
    budget.enter(levels)
    try {
      return this.invoke(args, input)
    } catch (error) {
      if (error instanceof ExpressionError) error.place(this.#position || error.position, error.token ?? this.#token)
      throw error
    } finally {
      budget.leave(levels)
    }
  }
}

/** A call in tail position, handed back instead of made: the caller's loop makes it. */
export class TailCall {
  readonly #call: TailCallNode
  readonly #frame: Frame
  readonly #input: Value

  constructor(call: TailCallNode, frame: Frame, input: Value) {
    this.#call = call
    this.#frame = frame
    this.#input = input
  }

  proceed(input: Value): Value | TailCall {
    const { procedure, args, position, token } = this.#call
    const callee = procedure(this.#frame, this.#input)
    if (callee instanceof Callable) callee.noteCall(position, token)
    const values = args.map((arg) => arg(this.#frame, this.#input))
    if (callee instanceof Callable) return callee.attempt(values, input)
    if (isFunctionValue(callee)) return callee.call(values, input)
    throw notAFunction(position, token)
  }
}

export interface TailCallNode {
  readonly procedure: Code
  readonly args: readonly Code[]
  readonly position: number | undefined
  readonly token: string | undefined
}

export function notAFunction(position?: number, token?: string): ExpressionError {
  return new ExpressionError('type', 'T1006', 'what is called is not a function', { position, token })
}
