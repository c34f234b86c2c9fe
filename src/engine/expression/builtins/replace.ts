import { type FunctionValue, isFunctionValue, isListValue, type Value } from '../value.ts'
import { optionalNumber } from './arguments.ts'
import type { Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'
import { payText } from './cost.ts'
import { firstMatch, type Match, matchAfter } from './matcher.ts'
import { expandReplacement } from './replacement.ts'
import { makeTextSearch } from './text-search.ts'

/** `$replace(text, pattern, replacement, limit)`. */
export function replace(text: string, call: Call, args: readonly Value[]): string {
  const [, pattern, replacement] = args
  if (pattern === '') throw builtinError('D3010')
  const limit = optionalNumber(args, 3) ?? Number.POSITIVE_INFINITY
  if (limit < 0) throw builtinError('D3011')
  const output = new Output(call)
  if (limit === 0) return text
  if (typeof pattern === 'string') return replaceText(text, pattern, { output, limit, replacement })
  if (!isFunctionValue(pattern)) throw builtinError('T0410')
  return replaceMatches(text, pattern, { output, limit, replacement })
}

interface ReplaceOptions {
  readonly output: Output
  readonly limit: number
  readonly replacement: Value
}

/** The text that is being made; every piece is paid for before it is added. */
class Output {
  readonly call: Call
  #text = ''

  constructor(call: Call) {
    this.call = call
  }

  add(piece: string): void {
    payText(this.call.budget, piece.length)
    this.#text += piece
  }

  /** All that was added, and the rest. */
  finish(rest: string): string {
    this.add(rest)
    return this.#text
  }
}

function replaceText(text: string, pattern: string, { output, limit, replacement }: ReplaceOptions): string {
  const search = makeTextSearch(pattern, output.call.budget)
  let position = 0
  let at = search(text)
  for (let count = 0; at >= 0 && count < limit; count++) {
    output.add(text.slice(position, at))
    output.add(asText(replacement))
    position = at + pattern.length
    at = search(text, position)
  }
  return output.finish(text.slice(position))
}

function replaceMatches(text: string, matcher: FunctionValue, { output, limit, replacement }: ReplaceOptions): string {
  const { call } = output
  let position = 0
  let here = firstMatch(matcher, text, call)
  for (let count = 0; here !== undefined && count < limit; count++) {
    if (typeof here.match !== 'string' || typeof here.start !== 'number') throw builtinError('T1010')
    output.add(text.substring(position, here.start))
    output.add(asText(replacementFor(here, replacement, call)))
    position = here.start + here.match.length
    here = matchAfter(here, call)
  }
  return output.finish(text.slice(position))
}

function replacementFor(found: Match, replacement: Value, call: Call): Value {
  if (isFunctionValue(replacement)) return call.apply(replacement, [{ ...found }])
  const groups = isListValue(found.groups) ? found.groups : []
  return expandReplacement(asText(replacement), [found.match, ...groups], call.budget)
}

function asText(value: Value): string {
  if (typeof value !== 'string') throw builtinError('D3012')
  return value
}
