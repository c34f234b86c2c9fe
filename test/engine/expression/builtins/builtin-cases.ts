import { expect } from 'chai'
import jsonata from 'jsonata'
import type { Call } from '../../../../src/engine/expression/builtins/builtin.ts'
import { BUILTIN_FUNCTIONS } from '../../../../src/engine/expression/builtins/builtin-functions.ts'
import { regexFunction } from '../../../../src/engine/expression/builtins/regex.ts'
import { Budget, DEFAULT_LIMITS, type Limits } from '../../../../src/engine/expression/compile/budget.ts'
import { ExpressionError } from '../../../../src/engine/expression/expression-error.ts'
import { type FunctionValue, isFunctionValue, isSequence, type Value } from '../../../../src/engine/expression/value.ts'

/** A call and what it comes to: `gives` a value (absent: nothing) or `fails` with a code. */
export interface BuiltinCase {
  readonly name: string
  /** A JavaScript function stands for a lambda, a `RegExp` for a literal. */
  readonly args: readonly unknown[]
  readonly gives?: unknown
  readonly fails?: string
  /** Why JSONata itself does otherwise. */
  readonly differs?: string
}

type Outcome = { readonly value: unknown } | { readonly code: string | undefined }

/** A test for each case: ours gives what is expected, and so does the `jsonata` library. */
export function describeBuiltin(builtin: string, cases: readonly BuiltinCase[]): void {
  describe(`$${builtin}`, () => {
    for (const { name, args, gives, fails, differs } of cases) {
      it(name, async () => {
        const expected = fails === undefined ? { value: gives } : { code: fails }
        expect(ours(builtin, args), 'ours').to.deep.equal(expected)
        const library = await theirs(builtin, args)
        if (differs === undefined) expect(library, 'the library').to.deep.equal(expected)
        else expect(library, `the library is said to differ: ${differs}`).to.not.deep.equal(expected)
      })
    }
  })
}

/** Calls one of our functions as the evaluator would, after the signature was checked. */
export function ours(builtin: string, args: readonly unknown[], budget: Budget = new Budget()): Outcome {
  try {
    return { value: plain(collapse(runBuiltin(builtin, args, budget))) }
  } catch (error) {
    if (error instanceof ExpressionError) return { code: error.code }
    throw error
  }
}

/** The same call in the library. */
export async function theirs(builtin: string, args: readonly unknown[]): Promise<Outcome> {
  const names = args.map((_, index) => `a${index}`)
  const variables = names.map((name) => `$${name}`).join(', ')
  const bindings = Object.fromEntries(names.map((name, index) => [name, toTheirs(args[index])]))
  try {
    return { value: plain(await jsonata(`$${builtin}(${variables})`).evaluate({}, bindings)) }
  } catch (error) {
    return { code: (error as { code?: string }).code }
  }
}

export function runBuiltin(builtin: string, args: readonly unknown[], budget: Budget = new Budget()): Value {
  const found = BUILTIN_FUNCTIONS.find(({ name }) => name === builtin)
  if (found === undefined) throw new Error(`no function $${builtin}`)
  const values = args.map((argument) => toOurs(argument, budget))
  return found.run(makeCall(budget), values)
}

export function makeCall(budget: Budget, input: Value = undefined): Call {
  const surroundings = { input: null, variable: () => undefined }
  const apply: Call['apply'] = (callee, args) => callee.call(args.slice(0, Math.max(1, callee.arity)), input)
  return { budget, input, surroundings, apply }
}

/** A budget with the default limits, except for those that are given. */
export function smallBudget(limits: Partial<Limits>): Budget {
  return new Budget({ ...DEFAULT_LIMITS, ...limits })
}

function toOurs(argument: unknown, budget: Budget): Value {
  if (argument instanceof RegExp) return regexFunction(argument.source, argument.flags, budget)
  if (typeof argument === 'function') return functionValue(argument as (...args: unknown[]) => unknown)
  return argument as Value
}

function functionValue(run: (...args: unknown[]) => unknown): FunctionValue {
  return { functionValue: true, arity: run.length, call: (args) => wrapNext(run(...args)) }
}

/** The functions inside what a lambda of the tests returns become function values too. */
function wrapNext(result: unknown): Value {
  if (typeof result !== 'object' || result === null || !('next' in result)) return result as Value
  const { next } = result
  if (typeof next !== 'function') return result as Value
  return { ...result, next: functionValue(next as () => unknown) } as Value
}

function toTheirs(argument: unknown): unknown {
  if (!(argument instanceof RegExp)) return argument
  const engine = new RegExp(argument.source, `${argument.flags}g`)
  return theirMatcher(engine)
}

/** What the library's evaluator makes of a regular expression literal. */
function theirMatcher(engine: RegExp): (text: string, from?: number) => unknown {
  const search = (text: string, from = 0): unknown => {
    engine.lastIndex = from
    const found = engine.exec(text)
    if (found === null) return undefined
    const after = engine.lastIndex
    const next = () => {
      if (after >= text.length) return undefined
      const following = search(text, after) as { match: string } | undefined
      if (following?.match === '') throw { code: 'D1004' }
      return following
    }
    return { match: found[0], start: found.index, end: after, groups: found.slice(1), next }
  }
  return (text) => search(text)
}

function collapse(value: Value): Value {
  if (!isSequence(value)) return value
  return value.length > 1 ? value : value[0]
}

function plain(value: unknown): unknown {
  if (value === undefined) return undefined
  if (isFunctionValue(value)) return value
  return JSON.parse(JSON.stringify(value))
}
