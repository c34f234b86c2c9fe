import { explain } from '../../../../core/base/coded-error.ts'
import { CelCompileError, CelCostError, CelRuntimeError } from '../../cel/cel-error.ts'
import { type CelType, DYN, objectType, printType, sameType } from '../../cel/cel-type.ts'
import { type CelBindings, type CelProgram, compileCel } from '../../cel/compile-cel.ts'
import { CelMap, type CelValue } from '../../cel/values.ts'
import { ACCESS_TYPES, NAMESPACE_TYPE, patchTypes, REQUEST_TYPE } from './expression-types.ts'

/** The most that all expressions of one policy may cost for one request. */
export const TOTAL_COST = 10_000_000
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run'

/** An expression, or why it is none. */
export interface CompiledExpression {
  readonly source: string
  readonly program?: CelProgram | undefined
  readonly error?: string | undefined
}

export interface ExpressionScope {
  readonly hasParams: boolean
  /** Defaults to true. */
  readonly hasAuthorizer?: boolean
  /** The expression makes a patch. */
  readonly patches?: boolean
}

/** Ends the evaluation of a whole policy. */
export class BudgetError extends Error {
  constructor() {
    super(OUT_OF_BUDGET)
  }
}

/** An evaluation that has no value; the message is what the client reads. */
export class EvaluationError extends Error {}

/** Named expressions that others build upon; each sees those before it. */
export class PolicyVariables {
  readonly #compiled = new Map<string, CompiledExpression>()

  constructor(variables: readonly { readonly name: string; readonly expression: string }[], scope: ExpressionScope) {
    for (const { name, expression } of variables) {
      this.#compiled.set(name, compileExpression(expression, scope, { variables: this }))
    }
  }

  get type(): CelType {
    const fields = [...this.#compiled].map(([name, { program }]): [string, CelType] => [name, program?.type ?? DYN])
    return objectType('kubernetes.variables', new Map(fields))
  }

  get(name: string): CompiledExpression | undefined {
    return this.#compiled.get(name)
  }

  names(): readonly string[] {
    return [...this.#compiled.keys()]
  }
}

/** Compiles an expression of a policy; of the types in `returns`, it yields exactly one. */
export function compileExpression(
  source: string,
  { hasParams, hasAuthorizer = true, patches = false }: ExpressionScope,
  { variables, returns }: { readonly variables?: PolicyVariables; readonly returns?: readonly CelType[] } = {},
): CompiledExpression {
  const names: Record<string, CelType> = {
    object: DYN,
    oldObject: DYN,
    request: REQUEST_TYPE,
    namespaceObject: NAMESPACE_TYPE,
    ...(hasAuthorizer && ACCESS_TYPES),
    ...(hasParams && { params: DYN }),
    ...(variables && { variables: variables.type }),
  }
  try {
    const program = compileCel(source, {
      variables: names,
      ...(patches && { types: patchTypes(source), makesPatches: true }),
    })
    if (!returns || returns.some((type) => sameType(program.type, type))) return { source, program }
    return { source, error: `must evaluate to ${printTypes(returns)} but got ${printType(program.type)}` }
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error
    return { source, error: `compilation failed: ${error.message}` }
  }
}

function printTypes(types: readonly CelType[]): string {
  const names = types.map((type) => (type.kind === 'null' ? type.name : printType(type)))
  return names.length === 1 ? (names[0] as string) : `one of [${names.join(' ')}]`
}

/** Evaluates the expressions of one policy for one request, all on one account. */
export class PolicyEvaluation {
  readonly #bindings: CelBindings
  #left: number

  constructor(bindings: CelBindings, variables: PolicyVariables, budget: number) {
    this.#left = budget
    this.#bindings = { ...bindings, variables: { value: new LazyVariables(variables, (each) => this.#run(each)) } }
  }

  /** What may still be spent. */
  get left(): number {
    return this.#left
  }

  /** @throws EvaluationError BudgetError */
  evaluate({ source, program, error }: CompiledExpression): CelValue {
    if (!program) throw new EvaluationError(`compilation error: ${error}`)
    try {
      return this.#run(program)
    } catch (cause) {
      if (cause instanceof BudgetError) throw cause
      throw new EvaluationError(`expression '${source}' resulted in error: ${explain(cause)}`)
    }
  }

  #run(program: CelProgram): CelValue {
    try {
      const { value, cost } = program.evaluate(this.#bindings)
      this.#left -= cost
      if (this.#left < 0) throw new BudgetError()
      return value
    } catch (error) {
      if (error instanceof CelCostError) this.#left -= 1
      throw error
    }
  }
}

/** Variables become values when they are first asked for. */
class LazyVariables extends CelMap {
  readonly typeName = 'kubernetes.variables'
  readonly #variables: PolicyVariables
  readonly #run: (program: CelProgram) => CelValue
  readonly #values = new Map<string, CelValue>()

  constructor(variables: PolicyVariables, run: (program: CelProgram) => CelValue) {
    super()
    this.#variables = variables
    this.#run = run
  }

  get size(): number {
    return this.#variables.names().length
  }

  keys(): readonly CelValue[] {
    return this.#variables.names()
  }

  get(key: CelValue): CelValue | undefined {
    const name = String(key)
    const known = this.#values.get(name)
    if (known !== undefined) return known
    const compiled = this.#variables.get(name)
    if (!compiled) return undefined
    const value = this.#valueOf(name, compiled)
    this.#values.set(name, value)
    return value
  }

  #valueOf(name: string, { program, error }: CompiledExpression): CelValue {
    const shown = `composited variable ${JSON.stringify(name)}`
    if (!program) throw new CelRuntimeError(`${shown} fails to compile: ${error}`)
    try {
      return this.#run(program)
    } catch (cause) {
      if (cause instanceof BudgetError) throw cause
      throw new CelRuntimeError(`${shown} fails to evaluate: ${explain(cause)}`)
    }
  }
}
