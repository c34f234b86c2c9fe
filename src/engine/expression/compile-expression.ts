import type { JsonPath, JsonValue } from '../../core/base/json.ts'
import type { Branch, BranchObserver, Way } from './branch-observer.ts'
import { Budget, DEFAULT_LIMITS, type Limits } from './compile/budget.ts'
import type { Code, Compiler } from './compile/code.ts'
import { compileNode } from './compile/compile-node.ts'
import { Evaluation } from './compile/evaluation.ts'
import { Frame, type Meter, type Surroundings } from './compile/frame.ts'
import { ExpressionError, MissingValueError } from './expression-error.ts'
import { type Names, namesOf } from './expression-names.ts'
import { definitionsFor, type FunctionTable } from './function-table.ts'
import { parseExpression } from './parse-expression.ts'
import { plainValue } from './plain-value.ts'
import { refusalsOf } from './refusals.ts'
import type { RegexNode, SyntaxNode } from './syntax-tree.ts'
import { addMark, MARK } from './value.ts'

/** A compiled expression. It keeps nothing between evaluations, so any number of them may share it. */
export interface Expression {
  readonly source: string
  /** Names it takes from outside, without `$`; functions of the language are not among them. */
  readonly variables: ReadonlySet<string>
  /** Paths that it reads from the input `$`, as far as that can be known; an empty path is the whole input. */
  readonly inputPaths: readonly JsonPath[]
  /** The value as plain data. `budget` is that of an evaluation which this one is part of. @throws ExpressionError */
  evaluate(bindings: Bindings, budget?: Budget): JsonValue | undefined
}

/** What an evaluation is given: the input `$`, and values for variables. Both are plain data, frozen, without nulls. */
export type Bindings = Surroundings

export interface CompileOptions {
  readonly functions: FunctionTable
  /** What one evaluation may use. Defaults to `DEFAULT_LIMITS`. */
  readonly limits?: Limits
  readonly branches?: BranchObserver | undefined
}

/**
 * Compiles an expression once, to be evaluated many times.
 *
 * Evaluation is synchronous and bounded, reads own fields of plain data only, and changes nothing.
 *
 * @throws ExpressionError when it cannot be parsed, or uses what our language refuses
 */
export function compileExpression(source: string, options: CompileOptions): Expression {
  const tree = parseExpression(source)
  const definitions = definitionsFor(options.functions)
  const names = namesOf(tree, definitions)
  const [refusal] = refusalsOf(tree, names, definitions)
  if (refusal !== undefined) throw refusal
  const code = new TreeCompiler(names, (branch) => options.branches?.({ source, ...branch })).compile(tree)
  const limits = options.limits ?? DEFAULT_LIMITS
  const reads = names.textCalls.flatMap(({ name, text }) => definitions.get(name)?.reads?.(text) ?? [])
  const own = names.free.map((use) => use.name).filter((name) => !definitions.has(name))
  return Object.freeze({
    source,
    variables: new Set([...own, ...reads.flatMap(({ variables }) => [...variables])]),
    inputPaths: [...names.inputPaths, ...reads.flatMap(({ inputPaths }) => inputPaths)],
    evaluate(bindings: Bindings, budget?: Budget) {
      const within = (own: Budget): JsonValue | undefined => evaluate(code, new Evaluation(own, bindings, definitions))
      // What is part of another evaluation counts with that.
      if (budget) return within(budget)
      const { meter, runBudget } = bindings
      const work = (): JsonValue | undefined =>
        runBudget ? runBudget.spend(limits, within) : within(new Budget(limits))
      return meter ? metered(meter, work) : work()
    },
  })
}

function metered<T>(meter: Meter, evaluation: () => T): T {
  const start = meter.now()
  try {
    return evaluation()
  } finally {
    meter.evaluated(meter.now() - start)
  }
}

function evaluate(code: Code, run: Evaluation): JsonValue | undefined {
  const { root } = run
  // A list as the whole input is one context item, not many.
  const input = Array.isArray(root) ? addMark([root], MARK.sequence | MARK.outerWrapper) : root
  try {
    return plainValue(code(new Frame(run), input), run.budget)
  } catch (error) {
    throw toExpressionError(error)
  }
}

/** A value that is missing within a function is missing for the evaluation as a whole. */
function toExpressionError(error: unknown): ExpressionError | MissingValueError {
  if (error instanceof ExpressionError || error instanceof MissingValueError) return error
  const message = error instanceof RangeError ? 'the expression nests too deeply' : 'the evaluation failed'
  return new ExpressionError('limit', error instanceof RangeError ? 'E1003' : 'E1000', message, { cause: error })
}

type Observe = (branch: Omit<Branch, 'source'>) => ((way: Way) => void) | undefined

class TreeCompiler implements Compiler {
  readonly #bound: ReadonlySet<string>
  readonly #regexes: readonly RegexNode[]
  readonly #observe: Observe

  constructor({ bound, regexes }: Names, observe: Observe) {
    this.#observe = observe
    this.#bound = bound
    this.#regexes = regexes
  }

  compile(node: SyntaxNode): Code {
    return compileNode(node, this, false)
  }

  compileTail(node: SyntaxNode): Code {
    return compileNode(node, this, true)
  }

  binds(name: string): boolean {
    return this.#bound.has(name)
  }

  branch: Compiler['branch'] = (operator, position = 0) => this.#observe({ operator, position })

  /** The library copies the left side of `?:` as JSON, which loses patterns: the one at the same place has it. */
  regexOf(node: RegexNode): RegExp {
    const original = this.#regexes.find(({ value, position }) => value instanceof RegExp && position === node.position)
    return (original as RegexNode).value
  }
}
