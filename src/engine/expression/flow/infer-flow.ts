import { namesOf } from '../expression-names.ts'
import { definitionsFor, type FunctionTable } from '../function-table.ts'
import { parseExpression } from '../parse-expression.ts'
import type {
  BlockNode,
  CallNode,
  Group,
  LambdaNode,
  PathNode,
  Stage,
  SyntaxNode,
  VariableNode,
} from '../syntax-tree.ts'
import { callFlow, errorFlow } from './call-flow.ts'
import {
  anyFieldOf,
  bounded,
  type Flow,
  FROM_ROLE,
  fieldOf,
  type Mark,
  mixed,
  ROLE_MARK,
  unionOf,
  worse,
  worstOf,
} from './flow.ts'

export interface FlowOptions {
  readonly functions: FunctionTable
  /** What flows into a variable, by its name without `$`. Defaults to what the role says. */
  variable(name: string): Flow | undefined
  /** What flows into `$`. Defaults to what the role says. */
  readonly input?: Flow | undefined
}

export interface InferredFlow {
  readonly value: Flow
  /** Into the messages of errors that it throws itself: `$error(…)`. */
  readonly errors: Mark
  /** The worst of the variables that it reads, even if their values do not reach the result. */
  readonly reads: Mark
}

/**
 * What may flow from variables into the value of an expression.
 *
 * Only values flow: what is found out by a comparison or a condition is one bit, and does not count.
 *
 * @throws ExpressionError when it cannot be parsed
 */
export function inferFlow(source: string, options: FlowOptions): InferredFlow {
  const analysis = new Analysis(options)
  const tree = parseExpression(source)
  const value = analysis.flow(tree, { focus: options.input ?? FROM_ROLE, locals: new Map() })
  const definitions = definitionsFor(options.functions)
  const { free, textCalls } = namesOf(tree, definitions)
  const within = textCalls.flatMap(({ name, text }) => [...(definitions.get(name)?.reads?.(text).variables ?? [])])
  const names = [...free.map(({ name }) => name), ...within]
  const reads = worstOf(...names.map((name) => options.variable(name) ?? FROM_ROLE))
  return { value, errors: analysis.errors, reads }
}

interface Place {
  readonly focus: Flow
  /** Grows with the names that the place gives. */
  readonly locals: Map<string, Flow>
}

/** Operators whose result is a part or a mix of their operands; of the others it is true or false. */
const MIXING: ReadonlySet<string> = new Set(['&', '+', '-', '*', '/', '%', '..'])
/** Calls within calls that are followed. */
const DEEPEST = 20
const MOST_CALLS = 1_000

class Analysis {
  errors: Mark = ROLE_MARK
  readonly #options: FlowOptions
  /** The worst that was read so far. */
  #seen: Mark = ROLE_MARK
  #depth = 0
  #calls = 0

  constructor(options: FlowOptions) {
    this.#options = options
  }

  flow(node: SyntaxNode, place: Place): Flow {
    const value = this.#own(node, place)
    this.#visitStages([...(node.predicate ?? []), ...(node.stages ?? [])], value, place)
    return node.group ? this.#object(node.group, { ...place, focus: value }) : value
  }

  #own(node: SyntaxNode, place: Place): Flow {
    switch (node.type) {
      case 'name':
        return fieldOf(place.focus, node.value)
      case 'wildcard':
        return anyFieldOf(place.focus)
      case 'descendant':
        return mixed(place.focus)
      case 'path':
        return this.#path(node, place)
      case 'variable':
        return this.#variable(node, place)
      case 'binary':
        return this.#binary(node.value, [this.flow(node.lhs, place), this.flow(node.rhs, place)])
      case 'unary':
        if (node.value === '-') return mixed(this.flow(node.expression, place))
        if (node.value === '{') return this.#object(node, place)
        return unionOf(...node.expressions.map((item) => this.flow(item, place)))
      default:
        return this.#control(node, place)
    }
  }

  #control(node: SyntaxNode, place: Place): Flow {
    switch (node.type) {
      case 'function':
        return this.#call(node, [], place)
      case 'partial': {
        const given = node.arguments.map((arg) => this.flow(arg, place))
        return { ...FROM_ROLE, call: (args) => mixed(...given, ...args) }
      }
      case 'apply':
        return this.#apply(this.flow(node.lhs, place), node.rhs, place)
      case 'lambda':
        // A call at the end of a function comes wrapped.
        return node.thunk === true ? this.flow(node.body, place) : this.#lambda(node, place)
      case 'condition': {
        this.flow(node.condition, place)
        return unionOf(...[node.then, node.else].flatMap((way) => (way ? [this.flow(way, place)] : [])))
      }
      case 'block':
        return this.#block(node, { ...place, locals: new Map(place.locals) })
      case 'bind': {
        const value = this.flow(node.rhs, place)
        place.locals.set(node.lhs.value, value)
        return value
      }
      case 'parent':
        return { rest: this.#seen }
      default:
        return FROM_ROLE
    }
  }

  #path({ steps }: PathNode, { focus, locals }: Place): Flow {
    const names = new Map(locals)
    let current = focus
    for (const step of steps) {
      if (step.type === 'sort') continue
      const found = this.flow(step, { focus: current, locals: names })
      if (step.index !== undefined) names.set(step.index, FROM_ROLE)
      if (step.focus === undefined) current = found
      else {
        // The step that follows starts where this one did.
        names.set(step.focus, found)
        current = unionOf(current, found)
      }
    }
    return current
  }

  /** What a filter looks for does not flow; what it throws does. */
  #visitStages(stages: readonly Stage[], focus: Flow, { locals }: Place): void {
    for (const stage of stages) {
      if (stage.type === 'filter') this.flow(stage.expr, { focus, locals })
      else locals.set(stage.value, FROM_ROLE)
    }
  }

  #variable({ value }: VariableNode, { focus, locals }: Place): Flow {
    if (value === '') return focus
    const known = locals.get(value) ?? this.#options.variable(value)
    if (known === undefined) return { ...FROM_ROLE, call: (args) => this.#builtin(value, args, []) }
    this.#seen = worse(this.#seen, worstOf(known))
    return known
  }

  #binary(operator: string, operands: readonly Flow[]): Flow {
    return MIXING.has(operator) ? mixed(...operands) : FROM_ROLE
  }

  #object({ lhs }: Group, place: Place): Flow {
    let [rest, names] = [ROLE_MARK, ROLE_MARK]
    const fields = new Map<string, Flow>()
    for (const [key, inner] of lhs) {
      const value = this.flow(inner, place)
      if (key.type === 'string') fields.set(String(key.value), value)
      else {
        names = worse(names, worstOf(this.flow(key, place)))
        rest = worse(rest, worstOf(value))
      }
    }
    return bounded({ rest, fields, names })
  }

  #call({ procedure, arguments: given }: CallNode, before: readonly Flow[], place: Place): Flow {
    const args = [...before, ...given.map((arg) => this.flow(arg, place))]
    const name = procedure.type === 'variable' ? procedure.value : undefined
    const isOwn = name === undefined || place.locals.has(name) || this.#options.variable(name) !== undefined
    if (isOwn) {
      const fn = this.flow(procedure, place)
      return fn.call ? fn.call(args) : mixed(fn, ...args)
    }
    const readsFocus = definitionsFor(this.#options.functions).get(name)?.signature.readsContext(args.length)
    const texts = given.map((arg) => (arg.type === 'string' ? String(arg.value) : undefined))
    return readsFocus
      ? this.#builtin(name, [place.focus, ...args], [undefined, ...texts])
      : this.#builtin(name, args, [...before.map(() => undefined), ...texts])
  }

  #builtin(name: string, args: readonly Flow[], texts: readonly (string | undefined)[]): Flow {
    this.errors = worse(this.errors, worstOf(errorFlow(name, { args, texts })))
    const read = definitionsFor(this.#options.functions)
      .get(name)
      ?.reads?.(texts[0] ?? '')
    if (!read) return callFlow(name, { args, texts })
    return mixed(...[...read.variables].map((variable) => this.#options.variable(variable) ?? FROM_ROLE))
  }

  #apply(left: Flow, right: SyntaxNode, place: Place): Flow {
    if (right.type === 'function') return this.#call(right, [left], place)
    const fn = this.flow(right, place)
    if (left.call && fn.call) {
      const [first, second] = [left.call, fn.call]
      return { ...FROM_ROLE, call: (args) => second([first(args)]) }
    }
    return fn.call ? fn.call([left]) : mixed(left, fn)
  }

  #lambda({ arguments: parameters, body }: LambdaNode, { focus, locals }: Place): Flow {
    const call = (args: readonly Flow[]): Flow => {
      this.#calls++
      if (this.#depth >= DEEPEST || this.#calls > MOST_CALLS) return { rest: worse(this.#seen, worstOf(...args)) }
      const bound = parameters.map(({ value }, index) => [value, args[index] ?? FROM_ROLE] as const)
      this.#depth++
      try {
        return this.flow(body, { focus, locals: new Map([...locals, ...bound]) })
      } finally {
        this.#depth--
      }
    }
    return { ...FROM_ROLE, call }
  }

  #block({ expressions }: BlockNode, place: Place): Flow {
    let last = FROM_ROLE
    for (const expression of expressions) last = this.flow(expression, place)
    return last
  }
}
