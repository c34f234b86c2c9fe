import type { JsonPath } from '../../../core/base/json.ts'
import type { Builtin, Call } from '../builtins/builtin.ts'
import type { Signature } from '../signature.ts'
import { type FunctionValue, hasMark, MARK, type RegexValue, type Value } from '../value.ts'
import { Callable, type MadeCall, type TailCall } from './callable.ts'
import type { Code } from './code.ts'
import type { Frame, Run } from './frame.ts'
import { settle } from './settle.ts'

/** A function of the language with its signature read. */
export interface Definition {
  readonly name: string
  readonly signature: Signature
  readonly arity: number
  readonly run: Builtin['run']
  /** Of a function that takes only a text in the source. */
  readonly reads?: ((text: string) => { variables: ReadonlySet<string>; inputPaths: readonly JsonPath[] }) | undefined
}

export class BuiltinFunction extends Callable {
  readonly #definition: Definition

  constructor(run: Run, definition: Definition) {
    super(run)
    this.#definition = definition
  }

  override get arity(): number {
    return this.#definition.arity
  }

  override get parameterCount(): number {
    return this.#definition.signature.size
  }

  override invoke(args: readonly Value[], input: Value): Value {
    const context = hasMark(input, MARK.outerWrapper) ? (input as readonly Value[])[0] : input
    const { signature, run } = this.#definition
    return run(new BuiltinCall(this.run, context), signature.validate(args, context))
  }
}

class BuiltinCall implements Call {
  readonly budget: Run['budget']
  readonly surroundings: Run['surroundings']
  readonly input: Value

  constructor(run: Run, input: Value) {
    this.budget = run.budget
    this.surroundings = run.surroundings
    this.input = input
  }

  apply(callee: FunctionValue, args: readonly Value[]): Value {
    const wanted = Math.max(1, callee.arity)
    return callee.call(args.length > wanted ? args.slice(0, wanted) : args, null)
  }
}

/** What is fixed about a lambda when it is compiled. */
export interface LambdaCode {
  readonly parameters: readonly string[]
  readonly signature: Signature | undefined
  readonly body: Code
  readonly levels: number
}

/** A `function(…){…}` with the variables and the context of the place where it was made. */
export class Lambda extends Callable {
  readonly #code: LambdaCode
  readonly #frame: Frame
  readonly #input: Value

  constructor(code: LambdaCode, frame: Frame, input: Value) {
    super(frame.run)
    this.#code = code
    this.#frame = frame
    this.#input = input
  }

  override get arity(): number {
    return this.#code.parameters.length
  }

  override get levels(): number {
    return this.#code.levels
  }

  override invoke(args: readonly Value[], input: Value): Value {
    const { parameters, signature, body } = this.#code
    const values = signature === undefined ? args : signature.validate(args, input)
    return body(this.#frame.inner(parameters, values), this.#input)
  }

  override fill(args: readonly Value[]): Value {
    return this.#code.body(this.#frame.inner(this.#code.parameters, args), this.#input)
  }
}

/** A function given as an argument: called without a context, and its call sites are not noted on it. */
export class PassedFunction extends Callable {
  readonly #target: FunctionValue

  constructor(run: Run, target: FunctionValue) {
    super(run)
    this.#target = target instanceof PassedFunction ? target.#target : target
  }

  override get arity(): number {
    return this.#target.arity
  }

  override get parameterCount(): number {
    return this.#target instanceof Callable ? this.#target.parameterCount : this.arity
  }

  override get regex(): RegexValue | undefined {
    return this.#target.regex
  }

  override get notesCalls(): boolean {
    return false
  }

  override invoke(args: readonly Value[]): Value {
    return this.#target.call(args, null)
  }
}

/** `$f ~> $g`: `function($x){ $g($f($x)) }`, where each argument is settled like any other. */
export class Composition extends Callable {
  readonly #first: FunctionValue
  readonly #second: FunctionValue

  constructor(run: Run, first: FunctionValue, second: FunctionValue) {
    super(run)
    this.#first = first
    this.#second = second
  }

  override get arity(): number {
    return 1
  }

  override invoke(args: readonly Value[]): Value {
    const value = this.#first.call([settle(args[0], false)], null)
    return this.#second.call([settle(value, false)], null)
  }
}

export const HOLE = Symbol('hole')

/** `$f(?, 2)`: a function of what was left open. */
export class PartialApplication extends Callable {
  readonly #target: Callable
  readonly #slots: readonly (Value | typeof HOLE)[]

  constructor(run: Run, target: Callable, slots: readonly (Value | typeof HOLE)[]) {
    super(run)
    this.#target = target
    this.#slots = slots.slice(0, target.parameterCount)
  }

  override get arity(): number {
    return this.#slots.filter((slot) => slot === HOLE).length
  }

  override get levels(): number {
    return this.#target.levels + 1
  }

  override invoke(args: readonly Value[], input: Value): Value | TailCall | MadeCall {
    let next = 0
    const filled: Value[] = []
    for (let index = 0; index < this.#target.parameterCount; index += 1) {
      const slot = this.#slots[index]
      filled.push(slot === HOLE ? args[next++] : slot)
    }
    return this.#target.fill(filled, input)
  }
}
