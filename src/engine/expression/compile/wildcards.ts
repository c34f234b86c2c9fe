import { hasMark, isListValue, isObjectValue, MARK, markSequence, sequenceOf, type Value } from '../value.ts'
import type { Budget } from './budget.ts'
import type { Code } from './code.ts'

/** `*`: the values of all fields, lists among them spread to the bottom. */
export function compileWildcard(): Code {
  return (frame, input) => {
    const { budget } = frame.run
    const object = hasMark(input, MARK.outerWrapper) ? (input as readonly Value[])[0] : input
    if (!isFields(object)) return sequenceOf()
    const found: Value[] = []
    let spread = false
    for (const value of Object.values(object)) {
      budget.step()
      if (isListValue(value)) {
        flatten(value, found, budget)
        spread = true
      } else found.push(value)
    }
    budget.allocate(8 * found.length)
    // Once a list was spread the result is a list of its own, which does not collapse.
    return spread ? found : markSequence(found)
  }
}

/** `**`: the value itself and everything below it, lists left out but not their items. */
export function compileDescendants(): Code {
  return (frame, input) => {
    if (input === undefined) return undefined
    const found = sequenceOf()
    descend(input, found, frame.run.budget)
    return found.length === 1 ? found[0] : found
  }
}

function flatten(items: readonly Value[], into: Value[], budget: Budget): void {
  budget.enter()
  for (const item of items) {
    budget.step()
    if (isListValue(item)) flatten(item, into, budget)
    else into.push(item)
  }
  budget.leave()
}

/** Steps for each value: its fields are listed. */
const DESCEND_STEPS = 3

function descend(value: Value, into: Value[], budget: Budget): void {
  budget.step(DESCEND_STEPS)
  budget.enter()
  if (isListValue(value)) for (const item of value) descend(item, into, budget)
  else {
    budget.allocate(8)
    into.push(value)
    if (isObjectValue(value)) for (const field of Object.values(value)) descend(field, into, budget)
  }
  budget.leave()
}

/** A list has fields here too: its items. */
function isFields(value: Value): value is readonly Value[] | { readonly [key: string]: Value } {
  return isListValue(value) || isObjectValue(value)
}
