import { nearestName } from '../../core/base/nearest-name.ts'
import { compileExpression } from './compile-expression.ts'
import { ExpressionError } from './expression-error.ts'
import { type Names, type NameUse, namesOf } from './expression-names.ts'
import { type Slip, slipInBroken, slipInReadable } from './foreign/find-slip.ts'
import { meantFunction } from './foreign/meant-function.ts'
import type { SlipKnowledge } from './foreign/slip.ts'
import { definitionsFor, type FunctionTable, REFUSED_FUNCTIONS } from './function-table.ts'
import { parseExpression } from './parse-expression.ts'
import { refusalsOf } from './refusals.ts'

/** What is wrong with an expression, and where. */
export interface ExpressionProblem {
  readonly code:
    | 'syntax'
    | 'foreign-syntax'
    | 'too-large'
    | 'refused-function'
    | 'refused-construct'
    | 'unknown-function'
    | 'unknown-variable'
    | 'unknown-path'
    | 'path-needed'
  readonly message: string
  /** 0-based offset in the source where it begins. */
  readonly position: number
  readonly length?: number
  readonly hint?: string
}

export interface CheckOptions {
  readonly functions: FunctionTable
  /** Names that are visible, without `$`. */
  readonly variables: ReadonlySet<string>
  /** The fields of `$`, when they are known. */
  readonly rootFields?: ReadonlySet<string> | undefined
  /** The type of a part of an expression, where types are known: it tells what the syntax of another language means. */
  readonly typeOf?: SlipKnowledge['typeOf']
}

/** Everything that can be said to be wrong with an expression without evaluating it, in the order of the source. */
export function checkExpression(source: string, options: CheckOptions): readonly ExpressionProblem[] {
  const definitions = definitionsFor(options.functions)
  const functionNames = new Set(definitions.keys())
  const slips = { functions: functionNames, typeOf: options.typeOf }
  try {
    const tree = parseExpression(source)
    const names = namesOf(tree, definitions)
    const refusals = refusalsOf(tree, names, definitions).map((error) => describeError(error, source))
    const known: Known = { ...options, functionNames }
    const problems = [...refusals, ...unknownNames(names, known, source), ...unknownFields(names, known, source)]
    const slip = slipInReadable(source, slips)
    if (slip) return inOrder([{ code: 'foreign-syntax', ...slip }, ...problems.filter((one) => !isWithin(one, slip))])
    if (problems.length === 0) compileExpression(source, options)
    return inOrder(problems)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const slip = isOfGrammar(error) ? slipInBroken(source, slips) : undefined
    return [slip ? { code: 'foreign-syntax', ...slip } : describeError(error, source)]
  }
}

/** Not of a text, a number, a comment or a pattern that is wrong in itself. */
function isOfGrammar({ code }: ExpressionError): boolean {
  return code.startsWith('S02') || code === 'S0101' || code === 'S0302'
}

function isWithin({ position }: ExpressionProblem, slip: Slip): boolean {
  return position >= slip.position && position <= slip.position + slip.length
}

interface Known extends CheckOptions {
  readonly functionNames: ReadonlySet<string>
}

function unknownNames(names: Names, known: Known, source: string): readonly ExpressionProblem[] {
  return names.free.flatMap((use) => {
    if (REFUSED_FUNCTIONS.has(use.name) || known.functionNames.has(use.name)) return []
    if (!known.variables.has(use.name)) return [unknownName(use, known, source)]
    if (!use.called) return []
    const message = `$${use.name} is a variable, not a function`
    return [{ code: 'unknown-function', message, ...placeOf(use, source, '$') } as const]
  })
}

function unknownName(use: NameUse, known: Known, source: string): ExpressionProblem {
  const code = use.called ? 'unknown-function' : 'unknown-variable'
  const hint = use.called ? meantFunction(use.name, known.functionNames) : hintForVariable(use.name, known)
  const message = `there is no ${use.called ? 'function' : 'variable'} $${use.name} here`
  return { code, message, ...placeOf(use, source, '$'), ...(hint !== undefined && { hint }) }
}

/** More names say less. */
const MOST_NAMES = 8

function hintForVariable(name: string, { variables, functionNames }: Known): string | undefined {
  const nearest = nearestName(name, [...variables, ...functionNames])
  if (nearest !== undefined) return `did you mean $${nearest}?`
  const names = [...variables].map((one) => `$${one}`)
  // One name alone is no choice: a role sees `$watch` everywhere.
  if (names.length < 2) return undefined
  return `there are ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`
}

function unknownFields(names: Names, known: Known, source: string): readonly ExpressionProblem[] {
  const { rootFields } = known
  if (rootFields === undefined) return []
  return names.rootFields.flatMap((use) => {
    if (rootFields.has(use.name)) return []
    const hint = hintForSubtraction(use, source) ?? hintForField(use.name, known) ?? hintForText(use, source)
    const message = `the resource has no field ${use.name}`
    return [{ code: 'unknown-path', message, ...placeOf(use, source, ''), ...(hint && { hint }) } as const]
  })
}

/** `spec.node-port` looks like a name, and subtracts. */
function hintForSubtraction({ name, position }: NameUse, source: string): string | undefined {
  const before = /([\w-]+)-$/.exec(source.slice(0, position - name.length))?.[1]
  return before === undefined
    ? undefined
    : `\`-\` subtracts: one name with \`-\` in it is \`${before}-${name}\` in backquotes`
}

/** A name alone, where a value is chosen or compared, is a text without its quotes. */
function hintForText({ name, position }: NameUse, source: string): string | undefined {
  const [before, after] = [source.slice(0, position - name.length), source.slice(position)]
  const isAlone = /(?:[?:=<>,[]|\bin)\s*$/.test(before) && /^\s*(?:$|[:),\]=]|and\b|or\b)/.test(after)
  return isAlone && /[?=]|\bin\b/.test(source) ? `a text needs quotes: \`"${name}"\`` : undefined
}

function hintForField(name: string, { variables, functionNames, rootFields = new Set() }: Known): string | undefined {
  if (variables.has(name) || functionNames.has(name)) return `did you mean $${name}?`
  const field = nearestName(name, rootFields)
  if (field !== undefined) return `did you mean ${field}?`
  const variable = nearestName(name, variables)
  return variable === undefined ? undefined : `did you mean $${variable}?`
}

/** The tree holds where a name ends. A quoted one is longer than itself. */
function placeOf({ name, position }: NameUse, source: string, sigil: string): { position: number; length: number } {
  const quotes = /[`"']$/.test(source.slice(0, position)) ? 2 : 0
  const length = sigil.length + name.length + quotes
  return { position: Math.max(0, position - length), length }
}

function describeError(error: ExpressionError, source: string): ExpressionProblem {
  const { code, message, token } = error
  const end = error.position < 0 ? 0 : Math.min(error.position, source.length)
  if (code === 'E1201' || code === 'E1202') return { code: 'too-large', message, position: end }
  if (code === 'E1204' || code === 'E1207')
    return {
      code: code === 'E1204' ? 'refused-function' : 'path-needed',
      message,
      ...placeOf({ name: token as string, position: end, called: true }, source, '$'),
    }
  if (code === 'E1205') return { code: 'refused-construct', message, position: Math.max(0, end - 1), length: 1 }
  const length = token !== undefined && source.slice(0, end).endsWith(token) ? token.length : 0
  return { code: 'syntax', message, position: end - length, ...(length > 0 && { length }) }
}

/** By place; what was said of a copy of the same text is said once. */
function inOrder(problems: readonly ExpressionProblem[]): readonly ExpressionProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.position} ${problem.code}`, problem]))
  return [...seen.values()].sort((left, right) => left.position - right.position)
}
