import { deepFreeze, type JsonValue } from '../../../src/core/base/json.ts'
import { Budget } from '../../../src/engine/expression/compile/budget.ts'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import { plainValue } from '../../../src/engine/expression/plain-value.ts'
import type { Value } from '../../../src/engine/expression/value.ts'
import { evaluateWithLibrary, type Outcome } from './jsonata-oracle.ts'
import { VARIABLES } from './random-expression.ts'

/** What an expression gives over a document: by our evaluator, and by the library. */
export interface Comparison {
  readonly actual: Answer
  /** Absent where the library gives no answer that anyone could want. */
  readonly wanted: Answer | undefined
}

/** An error is at home at a place of the source; what is wrong with a result is wrong nowhere. */
export interface Answer {
  readonly value?: JsonValue | undefined
  readonly code?: string
  readonly position?: number
  readonly token?: string | undefined
}

/** Evaluates `source` over `input` twice, here and in the library. */
export async function compareWithLibrary(source: string, input: JsonValue): Promise<Comparison> {
  const actual = actualOf(source, input)
  const wanted = losesPattern(source) ? undefined : await expectedOf(source, input)
  return { actual, wanted: wanted !== undefined && isOtherError(source, actual, wanted) ? undefined : wanted }
}

/** The library copies the left side of `?:` and `??` as JSON, patterns become `[object Object]`, and `$replace` never ends. */
function losesPattern(source: string): boolean {
  return /\?[?:]/.test(source) && /, \/[[(]/.test(source)
}

/** The library evaluates the items of a list and the fields of an object at the same time: any of their errors may win. */
function isOtherError(source: string, actual: Answer, wanted: Answer): boolean {
  return actual.code !== undefined && wanted.code !== undefined && /[[{]/.test(source)
}

/** What the library gives, as plain data; `undefined` where it fails in a way that is no answer. */
async function expectedOf(source: string, input: JsonValue): Promise<Answer | undefined> {
  let outcome: Outcome = await evaluateWithLibrary(source, { input, bindings: VARIABLES })
  if ('value' in outcome) return holdsFunction(outcome.value) ? { code: 'E1005' } : plain(outcome.value as Value)
  // Its functions remember where they were last called, also by another expression.
  outcome = await evaluateWithLibrary(source, { input, bindings: VARIABLES, fresh: true })
  if (!('code' in outcome) || NO_ANSWERS.includes(outcome.code)) return undefined
  return { code: outcome.code, position: outcome.position, token: outcome.token }
}

/** What is no error of the language, and the end of the library's time, which depends on the machine. */
const NO_ANSWERS: readonly string[] = ['defect', 'D1012']

function actualOf(source: string, input: JsonValue): Answer {
  const frozen = deepFreeze(structuredClone(input))
  const variables = deepFreeze(structuredClone(VARIABLES)) as { readonly [name: string]: JsonValue }
  try {
    const expression = compileExpression(source, { functions: new Map() })
    return { value: expression.evaluate({ input: frozen, variable: (name) => variables[name] }) }
  } catch (error) {
    return describeError(error)
  }
}

function plain(value: Value): Answer {
  try {
    return { value: plainValue(value, new Budget()) }
  } catch (error) {
    return describeError(error)
  }
}

function describeError(error: unknown): Answer {
  if (!(error instanceof ExpressionError)) throw error
  const { code, position, token } = error
  // What is wrong with a result is wrong nowhere in the source.
  return code.startsWith('E') ? { code } : { code, position, token }
}

function holdsFunction(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return false
  if ('_jsonata_lambda' in value || '_jsonata_function' in value) return true
  return Object.values(value).some(holdsFunction)
}
