import { LRUCache } from 'lru-cache'
import type { CodedError } from '../../../core/base/coded-error.ts'
import { compileRegex, type Regex } from '../../../core/base/regex.ts'
import type { Budget } from '../compile/budget.ts'
import { ExpressionError } from '../expression-error.ts'
import type { FunctionValue, RegexMatch, RegexValue, Value } from '../value.ts'
import { builtinError } from './builtin-error.ts'

/**
 * The function that a `/…/` literal is: for text it gives the first match, `{match, start, end, groups, next}`, where `next`
 * gives the one after. What is not text, number or boolean never matches.
 *
 * @param position where the literal stands, for errors
 * @throws ExpressionError `E0301` for what the linear-time engine cannot do
 */
export function regexFunction(source: string, flags: string, budget: Budget, position = -1): FunctionValue {
  const compiled = compileLiteral(source, flags, position)
  const regex: RegexValue = {
    source,
    exec: (text, from) => compiled.exec(text, from, (units) => budget.step(Math.ceil(units / UNITS_PER_STEP))),
  }
  return { functionValue: true, arity: 1, regex, call: ([text]) => matchText(regex, text, position) }
}

/** Finds out at load what `regexFunction` would throw in the middle of an evaluation. */
export function compileLiteral(source: string, flags: string, position = -1): Regex {
  const key = `${flags}/${source}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const regex = compileOrFail(source, flags, position)
  compiled.set(key, regex)
  return regex
}

/** A step takes about as long as elsewhere. */
const UNITS_PER_STEP = 4
const compiled = new LRUCache<string, Regex>({ maxSize: 100_000, sizeCalculation: (_, key) => key.length + 50 })

function compileOrFail(source: string, flags: string, position: number): Regex {
  try {
    return compileRegex(source, flags)
  } catch (cause) {
    throw new ExpressionError('syntax', 'E0301', (cause as CodedError).message, { cause, position })
  }
}

function matchText(regex: RegexValue, subject: Value, position: number): Value {
  const text = typeof subject === 'number' || typeof subject === 'boolean' ? String(subject) : subject
  if (typeof text !== 'string') return undefined
  return toMatchValue({ regex, text, position }, regex.exec(text, 0))
}

interface Subject {
  readonly regex: RegexValue
  readonly text: string
  readonly position: number
}

function toMatchValue(subject: Subject, found: RegexMatch | undefined): Value {
  if (found === undefined) return undefined
  const { match, start, end, groups } = found
  const next: FunctionValue = {
    functionValue: true,
    arity: 0,
    call: () =>
      toMatchValue(subject, nextMatch(subject.regex, subject.text, { after: end, position: subject.position })),
  }
  return { match, start, end, groups, next }
}

/** The match after one that ended at `after`. @throws ExpressionError `D1004` when it has no length, and so never an end */
function nextMatch(
  regex: RegexValue,
  text: string,
  { after, position = -1 }: { after: number; position?: number },
): RegexMatch | undefined {
  if (after >= text.length) return undefined
  const found = regex.exec(text, after)
  if (found?.match === '') throw builtinError('D1004', { position })
  return found
}
