import type { JsonValue } from '../../../core/base/json.ts'
import { CelCompileError, CelCostError, CelRuntimeError } from './cel-error.ts'
import type { CelType } from './cel-type.ts'
import { checkCel } from './check-cel.ts'
import { checkLiterals } from './check-literals.ts'
import { estimateCost } from './cost/estimate-cost.ts'
import type { CelEnvironment } from './environment.ts'
import { celFunctions, patchFunctions } from './functions.ts'
import { toCel } from './json.ts'
import { NAMED_TYPES } from './named-types.ts'
import { parseCel } from './parse-cel.ts'
import type { Frame } from './plan.ts'
import { planCel } from './plan-cel.ts'
import type { CelValue } from './values.ts'

export interface CelOptions {
  /** The names that may be used, and their types; `DYN` where nothing is known. */
  readonly variables: Readonly<Record<string, CelType>>
  /** Object types that can be made by `Name{field: value}`. */
  readonly types?: Readonly<Record<string, CelType>>
  /** The expression makes patches, and may call the functions for that. */
  readonly makesPatches?: boolean
  /** `cel.bind(name, value, expression)` gives a value a name. */
  readonly bindsNames?: boolean
}

/** An expression that can be evaluated any number of times. */
export interface CelProgram {
  readonly source: string
  /** Of the result. */
  readonly type: CelType
  /** The variables that occur in it. */
  readonly variables: ReadonlySet<string>
  /** The most that an evaluation may cost, from the limits that the types of the variables declare. */
  estimateCost(): number
  evaluate(bindings: CelBindings, limits?: CelLimits): CelResult
}

/** What variables stand for: JSON (read by the variable's type), or a value; a function is asked when it is needed. */
export type CelBindings = Readonly<Record<string, CelBinding>>
export type CelBinding = { readonly json: JsonValue | undefined } | { readonly value: CelValue } | (() => CelValue)

export interface CelLimits {
  /** The most that one evaluation may cost. Defaults to the 1,000,000 of the real server. */
  readonly cost?: number
}

export interface CelResult {
  readonly value: CelValue
  /** What the evaluation has cost; roughly its steps. */
  readonly cost: number
}

/**
 * Parses, checks and compiles an expression of the Common Expression Language with the libraries of Kubernetes.
 *
 * Throws CelCompileError, worded as the real server does. `evaluate` throws CelRuntimeError when the expression has no
 * value, and CelCostError when it takes too long.
 */
export function compileCel(source: string, options: CelOptions): CelProgram {
  const environment = environmentOf(options)
  const checked = checkCel(parseCel(source, { bindsNames: options.bindsNames ?? false }), environment)
  const issues = checked.issues.length > 0 ? checked.issues : checkLiterals(checked)
  if (issues.length > 0) throw new CelCompileError(source, issues)
  const step = planCel(checked, environment)
  return {
    source,
    type: checked.typeOf(checked.expr),
    variables: new Set([...checked.names].filter((name) => environment.variables.has(name))),
    estimateCost: () => estimateCost(checked, options.variables),
    evaluate: (bindings, { cost = PER_CALL_COST } = {}) => {
      const frame = new Run(environment, bindings, cost)
      const value = step(frame)
      return { value, cost: frame.cost }
    },
  }
}

const PER_CALL_COST = 1_000_000

function environmentOf({ variables, types = {}, makesPatches = false }: CelOptions): CelEnvironment {
  return {
    variables: new Map(Object.entries(variables)),
    functions: makesPatches ? patchFunctions() : celFunctions(),
    types: new Map([...NAMED_TYPES, ...Object.entries(types)]),
  }
}

class Run implements Frame {
  readonly locals: Frame['locals'] = []
  cost = 0
  readonly #environment: CelEnvironment
  readonly #bindings: CelBindings
  readonly #limit: number
  readonly #values = new Map<string, CelValue>()

  constructor(environment: CelEnvironment, bindings: CelBindings, limit: number) {
    this.#environment = environment
    this.#bindings = bindings
    this.#limit = limit
  }

  spend(cost: number): void {
    this.cost += cost
    if (this.cost > this.#limit) throw new CelCostError()
  }

  variable(name: string): CelValue {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    const value = this.#resolve(name)
    this.#values.set(name, value)
    return value
  }

  #resolve(name: string): CelValue {
    const binding = Object.hasOwn(this.#bindings, name) ? this.#bindings[name] : undefined
    if (!binding) throw new CelRuntimeError(`no such attribute(s): ${name}`)
    if (typeof binding === 'function') return binding()
    if ('value' in binding) return binding.value
    return toCel(binding.json, this.#environment.variables.get(name) as CelType)
  }
}
