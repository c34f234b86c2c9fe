import { type FunctionValue, isFunctionValue, isListValue, markSequence, type Value } from '../value.ts'
import { ofGiven, optionalNumber } from './arguments.ts'
import type { Builtin, Call } from './builtin.ts'
import { type BuiltinErrorCode, builtinError } from './builtin-error.ts'
import { payItems, payLook, payText } from './cost.ts'
import { firstMatch, type Match, matchAfter } from './matcher.ts'
import { replace } from './replace.ts'
import { makeTextSearch } from './text-search.ts'

/** Functions that find text: by itself, by a regular expression, or by a function that acts as one. */
export const REGEX_BUILTINS: readonly Builtin[] = [
  { name: 'match', signature: '<s-f<s:o>n?:a<o>>', run: ofGiven(match) },
  { name: 'contains', signature: '<s-(sf):b>', run: ofGiven(contains) },
  { name: 'replace', signature: '<s-(sf)(sf)n?:s>', run: ofGiven(replace) },
  { name: 'split', signature: '<s-(sf)n?:a<s>>', run: ofGiven(split) },
]

function contains(text: string, call: Call, args: readonly Value[]): boolean | undefined {
  payLook(call.budget, text.length)
  const pattern = args[1]
  if (pattern === undefined) return undefined
  if (typeof pattern === 'string') return makeTextSearch(pattern, call.budget)(text) >= 0
  return firstMatch(pattern as FunctionValue, text, call) !== undefined
}

function match(text: string, call: Call, args: readonly Value[]): Value {
  const limit = readLimit(args, 2, 'D3040')
  const found: Value[] = []
  if (limit === 0) return markSequence(found)
  let here = firstMatch(args[1] as FunctionValue, text, call)
  while (here !== undefined && found.length < limit) {
    payMatch(here, call)
    found.push({ match: here.match, index: here.start, groups: here.groups })
    here = matchAfter(here, call)
  }
  return markSequence(found)
}

function payMatch(found: Match, { budget }: Call): void {
  payItems(budget, 4 + (isListValue(found.groups) ? found.groups.length : 0))
  if (typeof found.match === 'string') payText(budget, found.match.length)
}

/** Infinite when there is none. */
function readLimit(args: readonly Value[], index: number, code: BuiltinErrorCode): number {
  const limit = optionalNumber(args, index)
  if (limit !== undefined && limit < 0) throw builtinError(code)
  return limit ?? Number.POSITIVE_INFINITY
}

function split(text: string, call: Call, args: readonly Value[]): Value {
  const limit = readLimit(args, 2, 'D3020')
  const separator = args[1]
  if (limit === 0) return []
  if (typeof separator === 'string') return splitByText(text, separator, { call, limit: Math.trunc(limit) })
  if (!isFunctionValue(separator)) throw builtinError('T0410')
  return splitByMatches(text, separator, { call, limit })
}

interface SplitOptions {
  readonly call: Call
  readonly limit: number
}

/** Empty text splits into UTF-16 units, as in JavaScript. */
function splitByText(text: string, separator: string, { call, limit }: SplitOptions): string[] {
  const parts: string[] = []
  const search = separator === '' ? nextUnit : makeTextSearch(separator, call.budget)
  let start = 0
  for (let at = search(text, 0); at >= 0 && parts.length < limit; at = search(text, start)) {
    addPart(parts, text.slice(start, at), call)
    start = at + separator.length
  }
  const hasRest = separator !== '' || start < text.length
  if (hasRest && parts.length < limit) addPart(parts, text.slice(start), call)
  return parts
}

function nextUnit(text: string, from = 0): number {
  return from + 1 < text.length ? from + 1 : -1
}

function addPart(parts: string[], part: string, { budget }: Call): void {
  payItems(budget, 1)
  payText(budget, part.length)
  parts.push(part)
}

function splitByMatches(text: string, matcher: FunctionValue, { call, limit }: SplitOptions): string[] {
  const parts: string[] = []
  let start = 0
  let here = firstMatch(matcher, text, call)
  while (here !== undefined && parts.length < limit) {
    if (typeof here.start !== 'number' || typeof here.end !== 'number') throw builtinError('T1010')
    addPart(parts, text.substring(start, here.start), call)
    start = here.end
    here = matchAfter(here, call)
  }
  if (parts.length < limit) addPart(parts, text.slice(start), call)
  return parts
}
