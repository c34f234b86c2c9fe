import { RE2JS } from 're2js'
import { CodedError, explain } from './coded-error.ts'
import { toRe2Syntax } from './regex-syntax.ts'

/** A compiled regular expression. Offsets are in UTF-16 units, as those of a JavaScript string. */
export interface Regex {
  readonly source: string
  readonly flags: string
  /** The first match at or after `from`, or `undefined`. `spend` hears of the work while it is done, and may throw. */
  exec(text: string, from: number, spend?: Spend): RegexMatch | undefined
}

export interface RegexMatch {
  readonly match: string
  readonly start: number
  readonly end: number
  /** Without the whole match; `undefined` where a group took no part. */
  readonly groups: readonly (string | undefined)[]
}

/** Receives the amount of work since its last call. One unit takes about 30 ns. */
export type Spend = (units: number) => void

/**
 * Compiles a JavaScript regular expression. The time of a match is linear in the length of the text, for every pattern.
 *
 * Flags: `i`, `m` and `g`; `g` has no effect. Unlike in JavaScript, `.` and classes match whole code points, and a group in a
 * loop keeps what an earlier round captured.
 *
 * @throws CodedError `RegexNotSupported` for lookaround, backreferences and other things no linear engine can do
 */
export function compileRegex(source: string, flags: string): Regex {
  return regexOf(compilePattern(source, flags), source, flags)
}

/**
 * Compiles a regular expression in the syntax of Go, which is the one of the engine.
 *
 * @throws Error in the words of Go: `error parsing regexp: …`
 */
export function compileGoRegex(source: string): Regex {
  return regexOf(RE2JS.compile(source), source, '')
}

function regexOf(pattern: RE2JS, source: string, flags: string): Regex {
  return {
    source,
    flags,
    exec: (text, from, spend = ignore) => find(pattern, { text, from, spend }),
  }
}

function compilePattern(source: string, flags: string): RE2JS {
  const translated = toRe2Syntax(source)
  try {
    return RE2JS.compile(translated, flagBits(flags))
  } catch (cause) {
    const message = `cannot compile the regular expression /${source}/: ${explain(cause)}`
    throw new CodedError('RegexNotSupported', message, { cause })
  }
}

function flagBits(flags: string): number {
  let bits = 0
  for (const flag of flags) {
    if (flag === 'i') bits |= RE2JS.CASE_INSENSITIVE
    else if (flag === 'm') bits |= RE2JS.MULTILINE
    else if (flag !== 'g')
      throw new CodedError('RegexNotSupported', `the regular expression flag "${flag}" is not supported`)
  }
  return bits
}

interface Search {
  readonly text: string
  readonly from: number
  readonly spend: Spend
}

function find(pattern: RE2JS, { text, from, spend }: Search): RegexMatch | undefined {
  if (from > text.length) return undefined
  const metered = new MeteredText(text, spend, unitsPerRead(pattern, text))
  const matcher = pattern.matcher(metered as unknown as string)
  const found = matcher.find(from)
  metered.settle()
  if (!found) return undefined
  const groups: (string | undefined)[] = []
  for (let group = 1; group <= matcher.groupCount(); group++) {
    const start = matcher.start(group)
    groups.push(start < 0 ? undefined : text.slice(start, matcher.end(group)))
  }
  metered.settle()
  const [start, end] = [matcher.start(), matcher.end()]
  return { match: text.slice(start, end), start, end, groups }
}

/** In long texts the engine runs all threads of the pattern side by side: a character costs up to as many visits as it has instructions. */
function unitsPerRead(pattern: RE2JS, text: string): number {
  const size = pattern.programSize()
  return size * text.length > BACKTRACK_LIMIT || size > 500 ? Math.max(1, size / 8) : 1
}

/** Up to here the engine remembers visited states in a bit vector, which it clears for every search. */
const BACKTRACK_LIMIT = 262_144

/** A text that counts how often it is looked at. The engine takes any `String`, and reads through these two methods. */
class MeteredText extends String {
  readonly #text: string
  readonly #spend: Spend
  readonly #perRead: number
  #reads = 0

  constructor(text: string, spend: Spend, perRead: number) {
    super(text)
    this.#text = text
    this.#spend = spend
    this.#perRead = perRead
    spend(20 + Math.min(text.length, BACKTRACK_LIMIT) / 256)
  }

  override charCodeAt(index: number): number {
    this.#reads += 1
    if (this.#reads === 1024) this.settle()
    return this.#text.charCodeAt(index)
  }

  override indexOf(part: string, from = 0): number {
    const found = this.#text.indexOf(part, from)
    this.#spend(((found < 0 ? this.#text.length : found) - from) / 64)
    return found
  }

  settle(): void {
    const units = this.#reads * this.#perRead
    this.#reads = 0
    if (units > 0) this.#spend(units)
  }
}

function ignore(): void {}
