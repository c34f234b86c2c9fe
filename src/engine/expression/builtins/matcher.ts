import { type FunctionValue, isFunctionValue, isListValue, isObjectValue, type Value } from '../value.ts'
import type { Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'

/** One match, of a regular expression or of a function that follows JSONata's matcher protocol. */
export interface Match {
  readonly match: Value
  readonly start: Value
  readonly end: Value
  readonly groups: Value
  readonly next: Value
}

/** The first match of `matcher` in `text`. */
export function firstMatch(matcher: FunctionValue, text: string, call: Call): Match | undefined {
  return toMatch(call.apply(matcher, [text]))
}

export function matchAfter(match: Match, call: Call): Match | undefined {
  call.budget.step()
  if (!isFunctionValue(match.next)) throw builtinError('T1010')
  return toMatch(call.apply(match.next, []))
}

/** As the library: one right field makes it a match. */
function toMatch(value: Value): Match | undefined {
  if (value === undefined) return undefined
  if (!isObjectValue(value)) throw builtinError('T1010')
  const { match, start, end, groups, next } = value
  if (typeof start !== 'number' && !isListValue(groups) && !isFunctionValue(next)) throw builtinError('T1010')
  return { match, start, end, groups, next }
}
