import type { Budget } from '../compile/budget.ts'
import { isListValue, isObjectValue, type Value } from '../value.ts'
import { ofGiven } from './arguments.ts'
import type { Builtin } from './builtin.ts'
import { builtinError } from './builtin-error.ts'

export const BOOLEAN_BUILTINS: readonly Builtin[] = [
  { name: 'boolean', signature: '<x-:b>', run: ofGiven((value: Value, { budget }) => toBoolean(value, budget)) },
  { name: 'not', signature: '<x-:b>', run: ofGiven((value: Value, { budget }) => !toBoolean(value, budget)) },
]

/** JSONata's idea of truth. Empty, zero, null, nothing and functions are false; a list is true when one of its items is. */
export function toBoolean(value: Value, budget: Budget): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return value.length > 0
  if (typeof value === 'number') return isNonZero(value)
  if (isListValue(value)) return isAnyTrue(value, budget)
  return isObjectValue(value) && Object.keys(value).length > 0
}

function isNonZero(value: number): boolean {
  if (Math.abs(value) === Number.POSITIVE_INFINITY) throw builtinError('D1001')
  return Boolean(value)
}

/** Looks at every item, as the library does: a number that is infinite is an error also behind a true one. */
function isAnyTrue(items: readonly Value[], budget: Budget): boolean {
  budget.enter()
  budget.step(items.length)
  let found = false
  for (const item of items) if (toBoolean(item, budget)) found = true
  budget.leave()
  return found
}
