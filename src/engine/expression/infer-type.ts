import { namesOf } from './expression-names.ts'
import { definitionsFor, type FunctionTable } from './function-table.ts'
import { parseExpression } from './parse-expression.ts'
import type { BlockNode, ConditionNode, Group, ListNode, SyntaxNode, VariableNode } from './syntax-tree.ts'
import { childrenOf } from './tree-shape.ts'
import { inferCall } from './types/infer-call.ts'
import { inferNegation, inferOperator } from './types/infer-operator.ts'
import { applyStages, inferPath } from './types/infer-path.ts'
import type { Complaint, FunctionSignature, Inference, Place, SeenName } from './types/inference.ts'
import {
  ANY,
  BOOLEAN,
  definite,
  FUNCTION,
  isAlways,
  itemsOf,
  listOf,
  NOTHING,
  NUMBER,
  oneOf,
  record,
  SOME_OBJECT,
  sequenceOf,
  type Type,
  union,
} from './types/type.ts'

export interface InferOptions {
  readonly functions: FunctionTable
  /** The type of `$`. */
  readonly input: Type
  /** Types of variables, by name without `$`. What is not among them can be anything. */
  readonly variables: ReadonlyMap<string, Type>
  /** Is given every name in the expression, in no order, some of them twice. Defaults to nothing. */
  readonly see?: ((name: SeenName) => void) | undefined
}

export interface Inferred {
  readonly type: Type
  /** Names that it takes from outside: variables and functions. */
  readonly names: readonly string[]
  /** In the order of the source. */
  readonly complaints: readonly Complaint[]
}

/**
 * What an expression yields, as far as that is known without data, and what can be proven wrong with it.
 *
 * Where nothing is sure the type is any, and nothing is said.
 *
 * @throws ExpressionError when it cannot be parsed
 */
export function inferType(source: string, options: InferOptions): Inferred {
  const tree = parseExpression(source)
  const { bound, free } = namesOf(tree, definitionsFor(options.functions))
  const inferrer = new Inferrer(source, options, bound)
  const type = inferrer.infer(tree, { focus: options.input, locals: new Map(), guarded: false })
  return { type, names: free.map(({ name }) => name), complaints: inferrer.inOrder() }
}

class Inferrer implements Inference {
  readonly source: string
  readonly root: Type
  readonly see: Inference['see']
  readonly #options: InferOptions
  /** Names that the expression gives values itself, anywhere. */
  readonly #bound: ReadonlySet<string>
  readonly #complaints = new Map<string, Complaint>()

  constructor(source: string, options: InferOptions, bound: ReadonlySet<string>) {
    this.source = source
    this.root = options.input
    this.see = options.see
    this.#options = options
    this.#bound = bound
  }

  variable = (name: string): Type | undefined => (this.#bound.has(name) ? ANY : this.#options.variables.get(name))

  signature = (name: string): FunctionSignature | undefined => {
    const { functions } = this.#options
    const definition = definitionsFor(functions).get(name)
    if (definition === undefined || this.variable(name) !== undefined) return undefined
    const { signature } = definition
    return {
      definition: signature.definition,
      readsContext: (given) => signature.readsContext(given),
      misfit: (args) => signature.misfit(args),
    }
  }

  /** What is said of a copy of the same text (`??` makes one) is said once. */
  complain(complaint: Complaint): void {
    this.#complaints.set(`${complaint.position} ${complaint.code}`, complaint)
  }

  inOrder(): readonly Complaint[] {
    return [...this.#complaints.values()].sort((left, right) => left.position - right.position)
  }

  infer(node: SyntaxNode, place: Place): Type {
    const value = this.#own(node, place)
    // A path has seen to its own filters and brackets.
    if (node.type === 'path') return this.#grouped(value, node.group, place)
    const stages = [...(node.predicate ?? []), ...(node.stages ?? [])]
    const filtered = applyStages(value, stages, { place, inference: this })
    return this.#grouped(node.keepArray === true ? keptList(filtered) : filtered, node.group, place)
  }

  #own(node: SyntaxNode, place: Place): Type {
    switch (node.type) {
      case 'string':
        return oneOf([String(node.value)])
      case 'number':
        return NUMBER
      case 'value':
        return typeof node.value === 'boolean' ? BOOLEAN : ANY
      case 'variable':
        return this.#variable(node, place)
      case 'path':
        return inferPath(node, place, this)
      case 'binary':
        return inferOperator(node, place, this)
      case 'unary':
        if (node.value === '-') return inferNegation(node, place, this)
        return node.value === '[' ? this.#list(node, place) : this.#object(node, place)
      case 'function':
        return inferCall(node, undefined, { place, inference: this })
      default:
        return this.#control(node, place)
    }
  }

  #control(node: SyntaxNode, place: Place): Type {
    switch (node.type) {
      case 'condition':
        return this.#condition(node, place)
      case 'block':
        return this.#block(node, place)
      case 'bind':
        return this.infer(node.rhs, place)
      case 'lambda': {
        const parameters = node.arguments.map(({ value }) => [value, ANY] as const)
        this.infer(node.body, { ...place, locals: new Map([...place.locals, ...parameters]), guarded: true })
        return FUNCTION
      }
      case 'apply': {
        const left = this.infer(node.lhs, place)
        if (node.rhs.type === 'function') return inferCall(node.rhs, left, { place, inference: this })
        this.infer(node.rhs, place)
        return ANY
      }
      case 'regex':
        return FUNCTION
      default:
        for (const child of childrenOf(node)) this.infer(child, { ...place, focus: ANY })
        return ANY
    }
  }

  #variable(node: VariableNode, place: Place): Type {
    const type = this.#variableType(node, place)
    const { value, position } = node
    const length = value.length + 1
    if (position !== undefined) this.see?.({ kind: 'variable', name: value, position: position - length, length, type })
    return type
  }

  #variableType({ value }: VariableNode, place: Place): Type {
    if (value === '') return place.focus
    if (value === '$') return this.root
    const known = place.locals.get(value) ?? this.variable(value)
    return known ?? (this.signature(value) === undefined ? ANY : FUNCTION)
  }

  /** Items that are lists are laid out in it, but for those written in brackets themselves. */
  #list({ expressions }: ListNode, place: Place): Type {
    const items = expressions.map((item) => {
      const type = this.infer(item, place)
      return item.type === 'unary' && item.value === '[' ? type : itemsOf(type)
    })
    return listOf(union(items.map(definite)))
  }

  #object({ lhs }: Group, place: Place): Type {
    const fields = lhs.map(([key, value]) => [this.#key(key, place), this.infer(value, place)] as const)
    const known = fields.flatMap(([name, type]) => (name === undefined ? [] : [[name, type] as const]))
    return record(Object.fromEntries(known), known.length < fields.length ? 'open' : 'closed')
  }

  #key(key: SyntaxNode, place: Place): string | undefined {
    this.infer(key, place)
    return key.type === 'string' ? String(key.value) : undefined
  }

  #grouped(value: Type, group: Group | undefined, place: Place): Type {
    if (group === undefined) return value
    this.#object(group, { ...place, focus: itemsOf(value), guarded: true })
    return SOME_OBJECT
  }

  #condition({ condition, then, else: otherwise, position = 0 }: ConditionNode, place: Place): Type {
    const operator = this.source.slice(position - 2, position)
    // What stands before `??` is asked for because it may be missing.
    const asked = this.infer(condition, operator === '?:' || operator === '??' ? { ...place, guarded: true } : place)
    const inner = { ...place, guarded: true }
    const yes = this.infer(then, inner)
    const no = otherwise === undefined ? NOTHING : this.infer(otherwise, inner)
    if (operator === '?:') this.#checkDefault(asked, otherwise, position - operator.length)
    return union([operator === '?:' || operator === '??' ? definite(yes) : yes, no])
  }

  /** `spec.replicas ?: 1` gives 1 for 0. */
  #checkDefault(asked: Type, otherwise: SyntaxNode | undefined, position: number): void {
    if (!isAlways(asked, 'number', 'boolean')) return
    const fallback = otherwise !== undefined && 'value' in otherwise ? otherwise.value : undefined
    if (fallback === false || fallback === 0) return
    const value = isAlways(asked, 'boolean') ? 'false' : '0'
    this.complain({
      code: 'false-default',
      severity: 'warning',
      message: `\`?:\` takes ${value} for missing`,
      position,
      length: '?:'.length,
      hint: `write \`??\` to keep ${value} where it is given`,
    })
  }

  #block({ expressions }: BlockNode, place: Place): Type {
    const locals = new Map(place.locals)
    let last = NOTHING
    for (const expression of expressions) {
      last = this.infer(expression, { ...place, locals })
      if (expression.type === 'bind') locals.set(expression.lhs.value, last)
    }
    return last
  }
}

/** `…[]` keeps a sequence a list, and makes no list of anything else. */
function keptList(type: Type): Type {
  return type.shapes === undefined || isAlways(type, 'list') ? type : sequenceOf(itemsOf(type), false)
}
