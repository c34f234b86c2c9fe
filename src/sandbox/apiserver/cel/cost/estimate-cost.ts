import type { CelType } from '../cel-type.ts'
import type { CheckedExpr } from '../checked-expr.ts'
import type { Overload } from '../environment.ts'
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from '../expr.ts'
import { callCost, type Operand } from './call-cost.ts'
import { add, fixed, multiply, NOTHING, type Range, UNKNOWN, union } from './size.ts'

/** The most that an expression may cost, as the real server reckons it from the limits that types have. */
export function estimateCost(checked: CheckedExpr, variables: Readonly<Record<string, CelType>>): number {
  return new Estimator(checked, variables).cost(checked.expr).max
}

/** How a value is reached from a variable: names of fields, and what stands for the items of lists and maps. */
type Path = readonly string[]

interface Entries {
  readonly isList: boolean
  readonly key: Range
  readonly value: Range
}

interface Local {
  readonly path: Path
  readonly size: Range | undefined
  readonly entries: Entries | undefined
}

const LIST_COST = fixed(10)
const MAP_COST = fixed(30)
const STRUCT_COST = fixed(40)

class Estimator {
  readonly #checked: CheckedExpr
  readonly #variables: Readonly<Record<string, CelType>>
  readonly #locals = new Map<string, Local[]>()
  readonly #paths = new Map<Expr, Path>()
  readonly #sizes = new Map<Expr, Range>()
  readonly #entries = new Map<Expr, Entries>()

  constructor(checked: CheckedExpr, variables: Readonly<Record<string, CelType>>) {
    this.#checked = checked
    this.#variables = variables
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return NOTHING
      case 'ident':
        this.#paths.set(expr, this.#local(expr)?.path ?? [expr.name])
        return fixed(1)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return add(STRUCT_COST, ...expr.fields.map(({ value }) => this.cost(value)))
      default:
        return expr.variable === '#unused' ? this.#bind(expr) : this.#fold(expr)
    }
  }

  #select(expr: SelectExpr): Range {
    const operand = this.cost(expr.operand)
    if (expr.test) return operand
    this.#paths.set(expr, [...this.#path(expr.operand), expr.field])
    const { kind } = this.#checked.typeOf(expr.operand)
    return kind === 'map' || kind === 'object' ? add(operand, fixed(1)) : operand
  }

  #call(expr: CallExpr): Range {
    const { target, args, name } = expr
    const costs = args.map((arg) => this.cost(arg))
    if (name === 'dyn' && args[0]) {
      this.#copySizes(expr, args[0])
      return add(fixed(1), ...costs)
    }
    if (name === '_&&_' || name === '_||_') return { min: (costs[0] as Range).min, max: add(...costs).max }
    const method = target !== undefined && !this.#checked.isNamespaced(expr)
    const targetCost = method ? this.cost(target) : NOTHING
    if (name === '_?_:_') return this.#conditional(expr, costs)
    const operands = (method ? [target, ...args] : args).map((arg) => this.#operand(arg))
    const overloads = this.#checked.overloadsOf(expr)
    const own = overloads.map((overload) => this.#overloadCost(expr, overload, operands))
    const most = own.reduce(union, { min: Number.POSITIVE_INFINITY, max: 0 })
    return add(targetCost, ...costs, own.length === 0 ? NOTHING : most)
  }

  #overloadCost(expr: CallExpr, { name, signature }: Overload, operands: readonly Operand[]): Range {
    const [first] = expr.args
    if (name === '_[_]' && first) {
      const isList = signature.startsWith('_[_](list')
      if (isList || signature.startsWith('_[_](map')) {
        this.#paths.set(expr, [...this.#path(first), isList ? '@items' : '@values'])
        const size = this.#entriesOf(first)?.value
        if (size) this.#sizes.set(expr, size)
      }
    }
    if (name === '_+_') this.#joinEntries(expr)
    const { cost, size } = callCost(name, signature, operands)
    const known = this.#sizes.get(expr)
    if (size) this.#sizes.set(expr, known ? union(known, size) : size)
    return cost
  }

  #joinEntries(expr: CallExpr): void {
    const [left, right] = expr.args.map((arg) => this.#entriesOf(arg))
    const joined = unionEntries(left, right)
    if (joined) this.#entries.set(expr, joined)
  }

  #conditional(expr: CallExpr, [condition = NOTHING, yes = NOTHING, no = NOTHING]: readonly Range[]): Range {
    const [, left, right] = expr.args as readonly [Expr, Expr, Expr]
    this.#sizes.set(expr, union(this.#sizeOf(left), this.#sizeOf(right)))
    const entries = unionEntries(this.#entriesOf(left), this.#entriesOf(right))
    if (entries) this.#entries.set(expr, entries)
    return add(condition, union(yes, no))
  }

  #operand(expr: Expr): Operand {
    const path = this.#path(expr)
    const elementPath = path.length > 0 ? [...path, '@items'] : []
    return {
      expr,
      type: this.#checked.typeOf(expr),
      size: this.#sizeOf(expr),
      elementSize: this.#declaredSize(elementPath) ?? UNKNOWN,
    }
  }

  #list(expr: ListExpr): Range {
    const costs = expr.items.map(({ value }) => this.cost(value))
    const sizes = expr.items.map(({ value }) => this.#sizeOf(value))
    this.#entries.set(expr, { isList: true, key: fixed(1), value: unionOf(sizes) })
    return add(LIST_COST, ...costs)
  }

  #map(expr: MapExpr): Range {
    const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)])
    const keys = unionOf(expr.entries.map(({ key }) => this.#sizeOf(key)))
    const values = unionOf(expr.entries.map(({ value }) => this.#sizeOf(value)))
    this.#entries.set(expr, { isList: false, key: keys, value: values })
    return add(MAP_COST, ...costs)
  }

  #fold(expr: FoldExpr): Range {
    const before = add(this.cost(expr.range), this.cost(expr.init))
    this.#push(expr.accu, this.#localOf(expr.init))
    const variables = this.#loopVariables(expr)
    for (const [name, local] of variables) this.#push(name, local)
    const round = add(this.cost(expr.condition), this.cost(expr.step))
    for (const [name] of variables) this.#locals.get(name)?.pop()
    const result = this.cost(expr.result)
    this.#locals.get(expr.accu)?.pop()
    const count = this.#sizeOf(expr.range)
    if (expr.init.kind === 'literal') this.#setSize(expr, this.#knownSize(expr.init))
    else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#setSize(expr, count)
      const entries = this.#entriesOf(expr.step)
      if (entries) this.#entries.set(expr, entries)
    }
    return add(before, result, multiply(count, round))
  }

  #loopVariables({ range, variable, variable2 }: FoldExpr): readonly (readonly [string, Local])[] {
    const entries = this.#entriesOf(range)
    const isList = entries?.isList ?? this.#checked.typeOf(range).kind === 'list'
    const path = this.#path(range)
    const key = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined }
    const value = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined }
    if (variable2 === undefined) return [[variable, isList ? value : key]]
    return [
      [variable, key],
      [variable2, value],
    ]
  }

  #bind(expr: FoldExpr): Range {
    const before = add(this.cost(expr.range), this.cost(expr.init))
    this.#push(expr.accu, this.#localOf(expr.init))
    const result = this.cost(expr.result)
    this.#locals.get(expr.accu)?.pop()
    this.#copySizes(expr, expr.result)
    return add(before, result)
  }

  #copySizes(to: Expr, from: Expr): void {
    this.#setSize(to, this.#knownSize(from))
    const entries = this.#entriesOf(from)
    if (entries) this.#entries.set(to, entries)
  }

  #localOf(expr: Expr): Local {
    return { path: this.#path(expr), size: this.#knownSize(expr), entries: this.#entriesOf(expr) }
  }

  #push(name: string, local: Local): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), local])
  }

  #local(expr: Expr): Local | undefined {
    return expr.kind === 'ident' ? this.#locals.get(expr.name)?.at(-1) : undefined
  }

  #path(expr: Expr): Path {
    return this.#local(expr)?.path ?? this.#paths.get(expr) ?? []
  }

  #setSize(expr: Expr, size: Range | undefined): void {
    if (size) this.#sizes.set(expr, size)
  }

  #sizeOf(expr: Expr): Range {
    return this.#knownSize(expr) ?? UNKNOWN
  }

  #knownSize(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr) ?? this.#declaredSize(this.#path(expr))
    if (known) return known
    return isScalar(this.#checked.typeOf(expr)) ? fixed(1) : this.#local(expr)?.size
  }

  #entriesOf(expr: Expr): Entries | undefined {
    return this.#entries.get(expr) ?? this.#local(expr)?.entries
  }

  /** What the type of the variable says of the value at a path; names of types count as the first variable, as there. */
  #declaredSize([root, ...names]: Path): Range | undefined {
    let type = root === undefined ? undefined : (this.#variables[root] ?? Object.values(this.#variables)[0])
    if (type?.name === 'optional_type') type = type.params[0]
    for (const name of names) type = type && memberType(type, name)
    return type && { min: 0, max: type.json?.maxElements ?? 0 }
  }
}

function memberType(type: CelType, name: string): CelType | undefined {
  if (name === '@keys') return type.kind === 'map' ? type.params[0] : undefined
  if (name !== '@items' && name !== '@values') return type.fields?.get(name)
  return type.kind === 'list' ? type.params[0] : type.kind === 'map' ? type.params[1] : undefined
}

function unionOf(sizes: readonly Range[]): Range {
  return sizes.length === 0 ? NOTHING : sizes.reduce(union)
}

function unionEntries(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  return a && b && { isList: a.isList, key: union(a.key, b.key), value: union(a.value, b.value) }
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return fixed(expr.items.length)
  if (expr.kind === 'map') return fixed(expr.entries.length)
  if (expr.kind !== 'literal') return undefined
  const { value } = expr
  if (typeof value === 'string') return fixed([...value].length)
  return fixed(value instanceof Uint8Array ? value.length : 1)
}

function isScalar({ kind, name, params }: CelType): boolean {
  if (name === 'optional_type') return params[0] !== undefined && isScalar(params[0])
  return SCALARS.has(kind)
}

const SCALARS: ReadonlySet<CelType['kind']> = new Set<CelType['kind']>([
  ...(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'] as const),
])
