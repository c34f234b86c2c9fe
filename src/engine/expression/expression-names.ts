import type { JsonPath } from '../../core/base/json.ts'
import type { CallNode, LambdaNode, PathNode, RegexNode, SyntaxNode, VariableNode } from './syntax-tree.ts'
import { childrenOf } from './tree-shape.ts'

/** A name where it is used. */
export interface NameUse {
  readonly name: string
  /** 0-based offset just after it. */
  readonly position: number
  /** Used as `$name(…)`. */
  readonly called: boolean
}

/** What an expression calls by name. */
export interface Names {
  /** Variables and functions that it takes from outside. */
  readonly free: readonly NameUse[]
  /** Names that it gives values itself, anywhere. */
  readonly bound: ReadonlySet<string>
  /** First names of paths that start at the input. */
  readonly rootFields: readonly NameUse[]
  /** Paths read from the input, as far as that can be known; an empty path is all of it. */
  readonly inputPaths: readonly JsonPath[]
  readonly regexes: readonly RegexNode[]
  /** Calls of functions of the language with nothing but a text that stands in the source. */
  readonly textCalls: readonly TextCall[]
}

/** `$name("text")`. */
export interface TextCall {
  readonly name: string
  /** 0-based offset just after the name. */
  readonly position: number
  readonly text: string
  readonly argument: SyntaxNode
}

/** Functions whose missing arguments are filled from the context, and so read the input where it is the context. */
export type ContextReaders = ReadonlyMap<string, { readonly signature: { readsContext(given: number): boolean } }>

export function namesOf(tree: SyntaxNode, functions: ContextReaders): Names {
  const collector = new Collector(functions)
  collector.visit(tree, { scope: new Scope(undefined, boundIn(tree)), atRoot: true })
  const { free, bound, rootFields, paths, regexes, textCalls } = collector
  return { free, bound, rootFields, inputPaths: [...paths.values()], regexes, textCalls }
}

/** Names visible at a place of the expression. */
class Scope {
  readonly #outer: Scope | undefined
  readonly #names: ReadonlySet<string>

  constructor(outer: Scope | undefined, names: Iterable<string>) {
    this.#outer = outer
    this.#names = new Set(names)
  }

  has(name: string): boolean {
    return this.#names.has(name) || (this.#outer?.has(name) ?? false)
  }
}

interface Place {
  readonly scope: Scope
  /** Whether `$` is the input here. */
  readonly atRoot: boolean
}

class Collector {
  readonly free: NameUse[] = []
  readonly bound = new Set<string>()
  readonly rootFields: NameUse[] = []
  readonly paths = new Map<string, JsonPath>()
  readonly regexes: RegexNode[] = []
  readonly textCalls: TextCall[] = []
  readonly #functions: ContextReaders

  constructor(functions: ContextReaders) {
    this.#functions = functions
  }

  visit(node: SyntaxNode, place: Place): void {
    for (const name of namesBoundBy(node)) this.bound.add(name)
    if (node.type === 'path') this.#visitPath(node, place)
    else if (node.type === 'lambda') this.#visitLambda(node, place)
    else if (node.type === 'variable') this.#visitVariable(node, place, false)
    else if (node.type === 'function' || node.type === 'partial') this.#visitCall(node, place)
    else {
      if (node.type === 'regex') this.regexes.push(node)
      if ((node.type === 'wildcard' || node.type === 'descendant') && place.atRoot) this.#read([])
      const inner = node.type === 'block' ? { ...place, scope: new Scope(place.scope, boundIn(node)) } : place
      for (const child of childrenOf({ ...node, predicate: [], stages: [], group: NO_GROUP })) this.visit(child, inner)
    }
    this.#visitAround(node, { ...place, atRoot: false })
  }

  /** Predicates and groupings look at what the node has found, not at the input. */
  #visitAround(node: SyntaxNode, place: Place): void {
    for (const stage of [...(node.predicate ?? []), ...(node.stages ?? [])]) {
      if (stage.type === 'filter') this.visit(stage.expr, place)
    }
    for (const child of node.group?.lhs.flat() ?? []) this.visit(child, place)
  }

  #visitPath(node: PathNode, outer: Place): void {
    const place = { ...outer, scope: new Scope(outer.scope, boundOnPaths(node)) }
    const [first, ...rest] = node.steps
    for (const name of namesBoundBy(first)) this.bound.add(name)
    const start = first.type === 'variable' && (first.value === '$' || (first.value === '' && place.atRoot)) ? 1 : 0
    if (start === 1 || (first.type === 'name' && place.atRoot)) this.#visitInputPath(node.steps, start)
    if (start === 0 && first.type !== 'name') this.visit(first, place)
    else this.#visitAround(first, { ...place, atRoot: false })
    for (const step of rest) this.visit(step, { ...place, atRoot: false })
  }

  /** Names are followed up to the first step that does more than read a field. */
  #visitInputPath(steps: readonly SyntaxNode[], start: number): void {
    const names: string[] = []
    for (const step of steps.slice(start)) {
      if (step.type !== 'name' || step.tuple === true) break
      if (names.length === 0) this.rootFields.push({ name: step.value, position: step.position, called: false })
      names.push(step.value)
      if (step.stages !== undefined || step.predicate !== undefined || step.group !== undefined) break
    }
    this.#read(names)
  }

  #read(path: JsonPath): void {
    this.paths.set(JSON.stringify(path), path)
  }

  #visitLambda(node: LambdaNode, place: Place): void {
    const parameters = node.arguments.map((parameter) => parameter.value)
    for (const name of parameters) this.bound.add(name)
    if (place.atRoot && node.signature?.definition.includes('-') === true) this.#read([])
    this.visit(node.body, { ...place, scope: new Scope(place.scope, [...parameters, ...boundIn(node.body)]) })
  }

  #visitVariable({ value, position = -1 }: VariableNode, { scope, atRoot }: Place, called: boolean): void {
    if (value === '$' || (value === '' && atRoot)) this.#read([])
    if (value !== '$' && value !== '' && !scope.has(value)) this.free.push({ name: value, position, called })
  }

  #visitCall(node: CallNode, place: Place): void {
    const { procedure } = node
    if (procedure.type === 'variable') {
      this.#visitVariable(procedure, place, node.type === 'function')
      this.#noteText(node, procedure)
      const signature = this.#functions.get(procedure.value)?.signature
      if (place.atRoot && signature?.readsContext(node.arguments.length) === true) this.#read([])
    } else if (procedure.type !== 'path' || procedure.steps.length > 1) this.visit(procedure, place)
    for (const arg of node.arguments) this.visit(arg, place)
  }

  #noteText(node: CallNode, { value: name, position = -1 }: VariableNode): void {
    const [argument, ...others] = node.arguments
    if (node.type !== 'function' || argument?.type !== 'string' || others.length > 0) return
    this.textCalls.push({ name, position, text: String(argument.value), argument })
  }
}

const NO_GROUP = { lhs: [] }

function namesBoundBy(node: SyntaxNode): readonly string[] {
  const indexes = (node.stages ?? []).flatMap((stage) => (stage.type === 'index' ? [stage.value] : []))
  const own = [node.focus, node.index, node.type === 'bind' ? node.lhs.value : undefined]
  return [...indexes, ...own.filter((name) => name !== undefined)]
}

/** Names that `:=` binds in the frame of a block or a lambda: not those of blocks and lambdas within. */
function boundIn(node: SyntaxNode): readonly string[] {
  const names: string[] = []
  const pending: SyntaxNode[] = node.type === 'block' ? [...node.expressions] : [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.type === 'bind') names.push(next.lhs.value)
    if (next.type !== 'block' && next.type !== 'lambda') pending.push(...childrenOf(next))
  }
  return names
}

/** Names that the steps of a path bind (`@$x`, `#$i`), at any depth: they are seen by the steps that follow. */
function boundOnPaths(path: PathNode): readonly string[] {
  const names: string[] = []
  const pending: SyntaxNode[] = [...path.steps]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.type !== 'bind') names.push(...namesBoundBy(next))
    pending.push(...childrenOf(next))
  }
  return names
}
