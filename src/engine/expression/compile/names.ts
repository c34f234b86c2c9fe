import type { NameNode } from '../syntax-tree.ts'
import { isListValue, sequenceOf, type Value } from '../value.ts'
import type { Budget } from './budget.ts'
import type { Code } from './code.ts'
import { ownField } from './own-field.ts'
import { settle } from './settle.ts'

/** A field of the context item, or of each item of a list. */
export function compileName(node: NameNode): Code {
  const name = node.value
  const keepArray = node.keepArray === true
  return (frame, input) => settle(lookUp(input, name, frame.run.budget), keepArray)
}

function lookUp(value: Value, name: string, budget: Budget): Value {
  if (typeof value !== 'object' || value === null) return undefined
  return isListValue(value) ? lookUpInItems(value, name, budget) : ownField(value, name)
}

function lookUpInItems(items: readonly Value[], name: string, budget: Budget): Value {
  budget.enter()
  const found = sequenceOf()
  for (const item of items) {
    budget.step()
    const value = lookUp(item, name, budget)
    if (isListValue(value)) {
      budget.step(value.length)
      for (const inner of value) found.push(inner)
    } else if (value !== undefined) found.push(value)
  }
  budget.allocate(8 * found.length)
  budget.leave()
  return found
}
