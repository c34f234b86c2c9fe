import type { JsonValue } from '../../../core/base/json.ts'
import type { Value } from '../value.ts'
import type { Budget } from './budget.ts'
import type { RunBudget } from './run-budget.ts'

/** What one evaluation shares from its first node to its last. */
export interface Run {
  readonly budget: Budget
  readonly surroundings: Surroundings
  /** The whole input, `$$`. */
  readonly root: Value
  /** A function of the language, or a variable handed in from outside; `undefined` when there is none. */
  global(name: string): Value
}

/** Where an evaluation takes place: its input, and values for the names that the expression leaves open. */
export interface Surroundings {
  readonly input: JsonValue
  variable(name: string): JsonValue | undefined
  /** Called with the duration of evaluations. Defaults to none. */
  readonly meter?: Meter | undefined
  /** What all evaluations at the place may use together. Defaults to any number of them. */
  readonly runBudget?: RunBudget | undefined
}

export interface Meter {
  /** Milliseconds that never go back. */
  now(): number
  evaluated(milliseconds: number): void
}

const NO_NAMES: readonly string[] = []

/** The variables of a block, of a call or of one item of a path, inside those of an outer frame. */
export class Frame {
  readonly run: Run
  readonly #outer: Frame | undefined
  #names: readonly string[]
  #values: readonly Value[]

  constructor(run: Run, outer?: Frame, names: readonly string[] = NO_NAMES, values: readonly Value[] = []) {
    this.run = run
    this.#outer = outer
    this.#names = names
    this.#values = values
  }

  /** A frame within this one. `names` is not copied, so a lambda's calls share one list. */
  inner(names: readonly string[] = NO_NAMES, values: readonly Value[] = []): Frame {
    return new Frame(this.run, this, names, values)
  }

  lookup(name: string): Value {
    for (let frame: Frame | undefined = this; frame !== undefined; frame = frame.#outer) {
      const slot = frame.#names.indexOf(name)
      if (slot >= 0) return frame.#values[slot]
    }
    return this.run.global(name)
  }

  /** Gives a name a value in this frame. The lists handed in are shared, so they are copied, not written. */
  bind(name: string, value: Value): void {
    const slot = this.#names.indexOf(name)
    if (slot >= 0) this.#values = this.#names.map((_name, index) => (index === slot ? value : this.#values[index]))
    else {
      this.#values = [...this.#names.map((_name, index) => this.#values[index]), value]
      this.#names = [...this.#names, name]
    }
  }
}
