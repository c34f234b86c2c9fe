import { compileGoPattern } from '../../../../core/schema/pattern.ts'
import { CelRuntimeError } from '../cel-error.ts'
import type { CelCall, CelFunction } from '../environment.ts'
import type { FunctionTable } from '../signature.ts'
import { CelList, type CelValue } from '../values.ts'

const matches: CelFunction = ([text, pattern], call) => search(text, pattern, call)(0) !== undefined

/** Regular expressions, in Go's syntax and in linear time. */
export const REGEXES: FunctionTable = {
  'matches(string, string): bool': matches,
  'method matches(string, string): bool': matches,
  'method find(string, string): string': ([text, pattern], call) =>
    search(text, pattern, call, ILLEGAL)(0)?.match ?? '',
  'method findAll(string, string): list<string>': ([text, pattern], call) =>
    CelList.of(findAll(text as string, search(text, pattern, call, ILLEGAL), Number.POSITIVE_INFINITY)),
  'method findAll(string, string, int): list<string>': ([text, pattern, limit], call) => {
    const most = (limit as bigint) < 0n ? Number.POSITIVE_INFINITY : Number(limit)
    return CelList.of(findAll(text as string, search(text, pattern, call, ILLEGAL), most))
  },
}

const ILLEGAL = 'Illegal regex: '

type Search = (from: number) => { readonly match: string; readonly start: number; readonly end: number } | undefined

function search(text: CelValue | undefined, pattern: CelValue | undefined, call: CelCall, prefix = ''): Search {
  const regex = compileGoPattern(pattern as string)
  if (regex instanceof Error)
    throw new CelRuntimeError(`${prefix}${regex.message.replace(/^.*(?=error parsing regexp)/s, '')}`)
  call.spend(Math.ceil(((text as string).length + 1) / 10) * Math.ceil((pattern as string).length / 4))
  return (from) => regex.exec(text as string, from)
}

/** As Go: an empty match right behind another one does not count. */
function findAll(text: string, find: Search, most: number): readonly string[] {
  const found: string[] = []
  let previousEnd = -1
  for (let from = 0; from <= text.length && found.length < most; ) {
    const match = find(from)
    if (!match) break
    if (match.end > match.start || match.start !== previousEnd) found.push(match.match)
    previousEnd = match.end
    from = match.end > from ? match.end : from + String.fromCodePoint(text.codePointAt(from) ?? 0).length
  }
  return found
}
