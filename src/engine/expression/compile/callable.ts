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
  get levels(): number {
    return 1
  }

  abstract invoke(args: readonly Value[], input: Value): Value | TailCall | MadeCall

  /** The same with holes filled by `Partial`: what the library calls without looking at the signature. */
  fill(args: readonly Value[], input: Value): Value | TailCall | MadeCall {
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

  /** Makes the call, and the tail calls that it ends in, one after the other. */
  call(args: readonly Value[], input: Value): Value {
    const { budget } = this.run
    let call: PendingCall = { callee: this, args }
    for (;;) {
      const { callee } = call
      const { levels } = callee
      budget.step()
      budget.enter(levels)
      let result: Value | TailCall | MadeCall
      try {
        result = callee.invoke(call.args, input)
      } catch (error) {
        throw callee.#place(error)
      }
      budget.leave(levels)
      if (result instanceof MadeCall) return result.value
      if (!(result instanceof TailCall)) return result
      call = result.resolve(this.run)
    }
  }

  #place(error: unknown): unknown {
    if (error instanceof ExpressionError) error.place(this.#position || error.position, error.token ?? this.#token)
    return error
  }
}

interface PendingCall {
  readonly callee: Callable
  readonly args: readonly Value[]
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

  /** Makes the call at once. */
  make(run: Run, input: Value): MadeCall {
    const { callee, args } = this.resolve(run)
    return new MadeCall(callee.call(args, input))
  }

  resolve(run: Run): PendingCall {
    const { procedure, args, position, token } = this.#call
    const value = procedure(this.#frame, this.#input)
    const values = args.map((arg) => arg(this.#frame, this.#input))
    if (!isFunctionValue(value)) throw notAFunction(position, token)
    const callee = value instanceof Callable ? value : new ForeignFunction(run, value)
    callee.noteCall(position, token)
    return { callee, args: values }
  }
}

/** What a call in tail position gave: no node settles it on its way to the caller's loop, as none settles a tail call. */
export class MadeCall {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}

/** A function value that this compiler has not made, such as a regular expression. */
export class ForeignFunction extends Callable {
  readonly #target: FunctionValue

  constructor(run: Run, target: FunctionValue) {
    super(run)
    this.#target = target
  }

  override get arity(): number {
    return this.#target.arity
  }

  override get regex(): RegexValue | undefined {
    return this.#target.regex
  }

  override invoke(args: readonly Value[], input: Value): Value {
    return this.#target.call(args, input)
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
