import type { FunctionValue, Value } from '../value.ts'
import type { Budget } from './budget.ts'
import type { Run, Surroundings } from './frame.ts'
import { BuiltinFunction, type Definition } from './functions.ts'

/** One evaluation: its budget, its input, and the functions it has used, which remember where they were called. */
export class Evaluation implements Run {
  readonly budget: Budget
  readonly root: Value
  readonly surroundings: Surroundings
  readonly #definitions: ReadonlyMap<string, Definition>
  #functions: Map<string, FunctionValue> | undefined

  constructor(budget: Budget, surroundings: Surroundings, definitions: ReadonlyMap<string, Definition>) {
    this.budget = budget
    this.root = surroundings.input
    this.surroundings = surroundings
    this.#definitions = definitions
  }

  global(name: string): Value {
    const definition = this.#definitions.get(name)
    if (definition === undefined) return this.surroundings.variable(name)
    this.#functions ??= new Map()
    let callable = this.#functions.get(name)
    if (callable === undefined) {
      callable = new BuiltinFunction(this, definition)
      this.#functions.set(name, callable)
    }
    return callable
  }
}
