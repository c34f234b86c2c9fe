import { ExpressionError } from './expression-error.ts'
import { isFunctionValue, type Value } from './value.ts'

/** One parameter: which kinds of value it takes, and how many of them. */
interface Parameter {
  /** The letter it was declared with, or a choice in parentheses. */
  readonly type: string
  /** Letters of `symbolOf` that fit. */
  accepts: string
  optional: boolean
  many: boolean
  lazy: boolean
  /** Missing, it is filled with the context item. */
  context: boolean
  /** What the items of a list must be. */
  subtype?: string
}

/** The letters of the kinds that an argument may have; `items` those of its items, where it is a list of known ones. */
export interface ArgumentLetters {
  readonly letters: string
  readonly items: string
}

const ANY = 'asnblfom'
const ACCEPTS: Readonly<Record<string, string>> = {
  s: 'sm',
  n: 'nm',
  b: 'bm',
  l: 'lm',
  o: 'om',
  a: ANY,
  f: 'f',
  j: 'asnblom',
  x: ANY,
}
const PLURALS: ReadonlyMap<string, string> = new Map([
  ['a', 'lists'],
  ['b', 'booleans'],
  ['f', 'functions'],
  ['n', 'numbers'],
  ['o', 'objects'],
  ['s', 'texts'],
])

/**
 * The parameters of a function in JSONata's notation (`<s-nn?:s>`): checks arguments, completes them with the context,
 * wraps single values where a list is wanted. What comes after `:` is not looked at.
 */
export class Signature {
  readonly #parameters: readonly Parameter[]
  /** Whether arguments that fit one by one fit as a whole: no parameter takes several, none prefers to take none. */
  readonly #simple: boolean

  readonly definition: string

  constructor(definition: string) {
    this.definition = definition
    this.#parameters = parseParameters(definition)
    this.#simple = this.#parameters.every((parameter) => !parameter.many && !parameter.lazy)
  }

  get size(): number {
    return this.#parameters.length
  }

  /** Whether a call with so many arguments can look at the context item. */
  readsContext(given: number): boolean {
    return this.#parameters.some(({ context, accepts }, index) => {
      // What takes anything takes the argument that is there; what is choosy may leave it to the next parameter.
      return context && given < (accepts === ANY ? index + 1 : this.#parameters.length)
    })
  }

  /** @throws ExpressionError `T0410`, `T0411`, `T0412` */
  validate(args: readonly Value[], context: Value): readonly Value[] {
    const counts = this.#simple && this.#fitsOneByOne(args) ? undefined : this.#match(args)
    const checked: Value[] = []
    let next = 0
    this.#parameters.forEach((parameter, index) => {
      const count = counts === undefined ? 1 : (counts[index] as number)
      if (count === 0 && parameter.context) {
        checked.push(checkContext(parameter, context, next))
        return
      }
      // An optional parameter left out takes the next argument all the same, as in the library.
      for (let taken = 0; taken < Math.max(1, count); taken += 1) {
        checked.push(count === 0 ? args[next] : checkArgument(parameter, args, { index: next, count }))
        next += 1
      }
    })
    return checked
  }

  /**
   * The first of several arguments that cannot fit. `undefined` when they may all fit; the number of arguments when there
   * are too many or too few.
   */
  misfit(args: readonly ArgumentLetters[]): number | undefined {
    const letters = args.map((arg) => arg.letters)
    if (shareOut(this.#parameters, letters) === undefined) return this.#firstMisfitOf(letters)
    if (args.length !== this.#parameters.length) return undefined
    const wrong = this.#parameters.findIndex(
      ({ subtype }, index) => !fitsItems(subtype, args[index] as ArgumentLetters),
    )
    return wrong < 0 ? undefined : wrong
  }

  #firstMisfitOf(args: readonly string[]): number {
    const found = this.#parameters.findIndex((parameter, index) => !fits(parameter, args[index]))
    return found < 0 ? Math.min(this.#parameters.length, args.length) : found
  }

  #fitsOneByOne(args: readonly Value[]): boolean {
    if (args.length !== this.#parameters.length) return false
    return this.#parameters.every((parameter, index) => parameter.accepts.includes(symbolOf(args[index])))
  }

  /** How many arguments each parameter takes, as the library's regular expression would share them out. */
  #match(args: readonly Value[]): readonly number[] {
    const counts = shareOut(this.#parameters, args.map(symbolOf))
    if (counts === undefined) throw mismatch(this.#firstMisfit(args))
    return counts
  }

  #firstMisfit(args: readonly Value[]): number {
    const misfit = this.#parameters.findIndex((parameter, index) => !parameter.accepts.includes(symbolOf(args[index])))
    return misfit < 0 ? Math.min(this.#parameters.length, args.length) : misfit
  }
}

/** The letter for the kind of a value; nothing is `m`, missing, which fits nearly everywhere. */
function symbolOf(value: Value): string {
  if (typeof value === 'string') return 's'
  if (typeof value === 'number') return 'n'
  if (typeof value === 'boolean') return 'b'
  if (value === undefined) return 'm'
  if (value === null) return 'l'
  if (Array.isArray(value)) return 'a'
  return isFunctionValue(value) ? 'f' : 'o'
}

/** Backtracking with a memory of what failed, so that no signature is slow. */
function shareOut(parameters: readonly Parameter[], symbols: readonly string[]): readonly number[] | undefined {
  const failed = new Set<number>()
  const counts: number[] = []
  const fitsFrom = (index: number, from: number): boolean => {
    const parameter = parameters[index]
    if (parameter === undefined) return from === symbols.length
    const key = index * (symbols.length + 1) + from
    if (failed.has(key)) return false
    for (const count of possibleCounts(parameter, symbols, from)) {
      counts[index] = count
      if (fitsFrom(index + 1, from + count)) return true
    }
    failed.add(key)
    return false
  }
  return fitsFrom(0, 0) ? counts : undefined
}

function possibleCounts(parameter: Parameter, symbols: readonly string[], from: number): readonly number[] {
  const most = parameter.many ? symbols.length - from : 1
  let fitting = 0
  while (fitting < most && from + fitting < symbols.length && fits(parameter, symbols[from + fitting])) fitting += 1
  const counts: number[] = []
  for (let count = fitting; count >= (parameter.optional ? 0 : 1); count -= 1) counts.push(count)
  return parameter.lazy ? counts.reverse() : counts
}

/** A single value stands for a list of one, if it is of the kind that the items must have. */
function fitsItems(subtype: string | undefined, { letters, items }: ArgumentLetters): boolean {
  const isAnyList = letters.includes('a') && items === ''
  if (subtype === undefined || isAnyList || `${letters}${items}`.includes('m')) return true
  return [...letters].some((letter) => (letter === 'a' ? items : letter).includes(subtype.charAt(0)))
}

/** Whether one of the kinds that a value may have, as letters, fits a parameter. */
function fits({ accepts }: Parameter, letters = ''): boolean {
  return [...letters].some((letter) => accepts.includes(letter))
}

function checkContext(parameter: Parameter, context: Value, index: number): Value {
  if (parameter.accepts.includes(symbolOf(context))) return context
  throw new ExpressionError('type', 'T0411', `the context item is not what argument ${index + 1} of the function needs`)
}

function checkArgument(parameter: Parameter, args: readonly Value[], at: { index: number; count: number }): Value {
  const arg = args[at.index]
  if (parameter.type !== 'a' || arg === undefined) return arg
  if (!isListOf(parameter, arg, at.count)) {
    const wanted = PLURALS.get(parameter.subtype as string) ?? 'other items'
    throw new ExpressionError('type', 'T0412', `argument ${at.index + 1} of the function must be a list of ${wanted}`)
  }
  return Array.isArray(arg) ? arg : [arg]
}

function isListOf(parameter: Parameter, arg: Value, count: number): boolean {
  const { subtype } = parameter
  if (subtype === undefined) return true
  if (!Array.isArray(arg)) return count === 1 && symbolOf(arg) === subtype
  return arg.every((item: Value) => symbolOf(item) === subtype.charAt(0))
}

function mismatch(index: number): ExpressionError {
  return new ExpressionError('type', 'T0410', `argument ${index + 1} does not match the signature of the function`)
}

function parseParameters(definition: string): readonly Parameter[] {
  const parameters: Parameter[] = []
  for (let at = 1; at < definition.length && definition.charAt(at) !== ':'; at += 1) {
    const symbol = definition.charAt(at)
    const last = parameters.at(-1)
    if (symbol === '(') {
      const end = closing(definition, at, '()')
      parameters.push(newParameter(definition.slice(at, end + 1), `${definition.slice(at + 1, end)}m`))
      at = end
    } else if (symbol === '<' && last !== undefined) {
      const end = closing(definition, at, '<>')
      last.subtype = definition.slice(at + 1, end)
      at = end
    } else if (ACCEPTS[symbol] !== undefined) parameters.push(newParameter(symbol, ACCEPTS[symbol]))
    else if (last !== undefined) quantify(last, symbol)
  }
  return parameters
}

function newParameter(type: string, accepts: string): Parameter {
  return { type, accepts, optional: false, many: false, lazy: false, context: false }
}

function quantify(parameter: Parameter, symbol: string): void {
  // A second `?` makes a regular expression reluctant, and the library's signatures are regular expressions.
  if (symbol === '?' && (parameter.optional || parameter.many)) parameter.lazy = true
  else if (symbol === '?') parameter.optional = true
  else if (symbol === '+') parameter.many = true
  if (symbol !== '-') return
  parameter.lazy = parameter.optional
  parameter.optional = true
  parameter.context = true
}

function closing(text: string, from: number, brackets: string): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === brackets.charAt(0)) depth += 1
    if (text.charAt(at) === brackets.charAt(1)) depth -= 1
    if (depth === 0) return at
  }
  return text.length
}
