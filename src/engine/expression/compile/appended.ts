import { isListValue, type Value } from '../value.ts'
import type { Budget } from './budget.ts'

/**
 * What JSONata's `$append` makes of values one after the other, without copying the list each time: the first is itself,
 * more of them are one list, and nothing adds nothing.
 */
export class Appended {
  readonly #budget: Budget
  readonly #value: Value
  #list: Value[] | undefined

  constructor(budget: Budget, first: Value) {
    this.#budget = budget
    this.#value = first
  }

  get value(): Value {
    return this.#list ?? this.#value
  }

  add(value: Value): void {
    if (value === undefined) return
    this.#list ??= this.#copy(this.#value)
    this.#push(this.#list, value)
  }

  #copy(first: Value): Value[] {
    const list: Value[] = []
    this.#push(list, first)
    return list
  }

  #push(list: Value[], value: Value): void {
    const items = isListValue(value) ? value : [value]
    this.#budget.step(items.length)
    this.#budget.allocate(8 * items.length)
    for (const item of items) list.push(item)
  }
}
