import type { CelIssue } from './cel-error.ts'
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  isOptional,
  listOf,
  mapOf,
  optionalOf,
  printType,
  sameType,
  typeParam,
} from './cel-type.ts'
import type { CheckedExpr } from './checked-expr.ts'
import { noOverload, notMessage } from './complaints.ts'
import { type CelEnvironment, lookUpName, type Overload } from './environment.ts'
import type { CallExpr, Expr, FoldExpr, ListExpr, LiteralExpr, MapExpr, SelectExpr, StructExpr } from './expr.ts'
import { literalType } from './literal-type.ts'
import { loopTypes } from './loop-types.ts'
import { qualifiedName } from './parse-cel.ts'
import { assignable, isDynamic, mostGeneral, type Substitutions, substitute } from './unify.ts'

/** Finds the type of each part of an expression, and all that does not fit. */
export function checkCel(expr: Expr, environment: CelEnvironment): CheckedExpr {
  const checker = new Checker(environment)
  checker.check(expr, new Map())
  return checker.result(expr)
}

/** Types that are objects to the real server, although their fields are unknown. */
const UNRESOLVED = 'kubernetes.authorization.'

type Scope = ReadonlyMap<string, CelType>

/** What a function is applied to; of a method, the receiver is the first. */
interface Applied {
  readonly args: readonly CelType[]
  readonly method: boolean
}

class Checker {
  readonly #environment: CelEnvironment
  readonly #issues: CelIssue[] = []
  readonly #types = new Map<Expr, CelType>()
  readonly #names = new Map<Expr, string>()
  readonly #overloads = new Map<Expr, readonly Overload[]>()
  readonly #namespaced = new Set<Expr>()
  #substitutions: Substitutions = new Map()
  #variables = 0

  constructor(environment: CelEnvironment) {
    this.#environment = environment
  }

  result(expr: Expr): CheckedExpr {
    const types = this.#types
    return {
      expr,
      issues: this.#issues,
      names: new Set(this.#names.values()),
      typeOf: (part) => substitute(this.#substitutions, types.get(part) ?? DYN, true),
      nameOf: (part) => this.#names.get(part),
      overloadsOf: (part) => this.#overloads.get(part) ?? [],
      isNamespaced: (part) => this.#namespaced.has(part),
    }
  }

  check(expr: Expr, scope: Scope): CelType {
    const type = this.#check(expr, scope)
    this.#types.set(expr, type)
    return type
  }

  #check(expr: Expr, scope: Scope): CelType {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr)
      case 'ident':
        return this.#ident(expr, expr.name, scope) ?? this.#undeclared(expr, expr.name)
      case 'select':
        return this.#select(expr, scope)
      case 'call':
        return expr.name === '_?._' ? this.#optionalSelect(expr, scope) : this.#call(expr, scope)
      case 'list':
        return this.#list(expr, scope)
      case 'map':
        return this.#map(expr, scope)
      case 'struct':
        return this.#struct(expr, scope)
      default:
        return this.#fold(expr, scope)
    }
  }

  #ident(expr: Expr, name: string, scope: Scope): CelType | undefined {
    const plain = name.replace(/^\./, '')
    const type = scope.get(name) ?? lookUpName(this.#environment, plain)
    if (type) this.#names.set(expr, plain)
    return type
  }

  #undeclared({ position }: Expr, name: string): CelType {
    return this.#issue(position, `undeclared reference to '${name}' (in container '')`)
  }

  #select(expr: SelectExpr, scope: Scope): CelType {
    const name = qualifiedName(expr)
    const known = name !== undefined && !scope.has(rootOf(name)) ? this.#ident(expr, name, new Map()) : undefined
    if (known) return known
    const type = this.#selectField(expr, expr.operand, expr.field, scope)
    return expr.test ? BOOL : type
  }

  #optionalSelect(expr: CallExpr, scope: Scope): CelType {
    const [operand, field] = expr.args as readonly [Expr, LiteralExpr]
    const type = this.#selectField(expr, operand, String(field.value), scope)
    return isOptional(type) ? type : optionalOf(type)
  }

  #selectField({ position }: Expr, operand: Expr, field: string, scope: Scope): CelType {
    const operandType = substitute(this.#substitutions, this.check(operand, scope))
    const target = isOptional(operandType) ? (operandType.params[0] as CelType) : operandType
    const type = this.#fieldType(target, field, position)
    return isOptional(operandType) ? optionalOf(type) : type
  }

  #fieldType(target: CelType, field: string, position: number): CelType {
    if (target.kind === 'map') return target.params[1] as CelType
    if (target.kind === 'object')
      return target.fields?.get(field) ?? this.#issue(position, `undefined field '${field}'`)
    if (target.kind === 'param') this.#fits(DYN, target)
    else if (target.name.startsWith(UNRESOLVED)) {
      this.#issue(position, `unexpected failed resolution of '${target.name}'`)
    } else if (!isDynamic(target)) {
      this.#issue(position, `type '${printType(target)}' does not support field selection`)
    }
    return DYN
  }

  #call(expr: CallExpr, scope: Scope): CelType {
    const args = expr.args.map((arg) => this.check(arg, scope))
    const { target } = expr
    if (!target) return this.#resolve(expr, expr.name.replace(/^\./, ''), { args, method: false })
    const prefix = qualifiedName(target)
    const qualified = `${prefix}.${expr.name}`
    if (prefix !== undefined && this.#environment.functions.has(qualified)) {
      this.#namespaced.add(expr)
      return this.#resolve(expr, qualified, { args, method: false })
    }
    const receiver = this.check(target, scope)
    return this.#resolve(expr, expr.name, { args: [receiver, ...args], method: true })
  }

  #resolve(expr: CallExpr, name: string, { args, method }: Applied): CelType {
    const declared = this.#environment.functions.get(name)
    if (!declared) return this.#undeclared(expr, name)
    if (name === '_&&_' || name === '_||_') return this.#logical(expr, args)
    let result: CelType | undefined
    const matching: Overload[] = []
    for (const overload of declared.filter((candidate) => candidate.method === method)) {
      const fresh = this.#instantiate(overload)
      if (!this.#fitsAll(args, fresh.args)) continue
      matching.push(overload)
      const type = substitute(this.#substitutions, fresh.result)
      if (result && result.kind !== 'dyn' && !sameType(type, result)) result = DYN
      result ??= type
    }
    this.#overloads.set(expr, matching)
    if (result) return result
    const types = args.map((arg) => substitute(this.#substitutions, arg, true))
    return this.#issue(expr.position, noOverload(name, types, method))
  }

  #logical({ args: operands }: CallExpr, args: readonly CelType[]): CelType {
    const issues = this.#issues.length
    args.forEach((type, at) => {
      if (!this.#fits(type, BOOL)) this.#assert(operands[at] as Expr, type, BOOL)
    })
    return this.#issues.length > issues ? ERROR : BOOL
  }

  #instantiate({ args, result, typeParams }: Overload): { args: readonly CelType[]; result: CelType } {
    if (typeParams.length === 0) return { args, result }
    const fresh = new Map(typeParams.map((name) => [name, this.#newVariable()]))
    return { args: args.map((arg) => substitute(fresh, arg)), result: substitute(fresh, result) }
  }

  #list({ items }: ListExpr, scope: Scope): CelType {
    let element: CelType | undefined
    for (const { value, optional } of items) {
      const type = this.#maybeOptional(value, optional, scope)
      element = this.#join(element, type)
    }
    return listOf(element ?? this.#newVariable())
  }

  #map({ entries }: MapExpr, scope: Scope): CelType {
    let keyType: CelType | undefined
    let valueType: CelType | undefined
    for (const { key, value, optional } of entries) {
      keyType = this.#join(keyType, this.check(key, scope))
      valueType = this.#join(valueType, this.#maybeOptional(value, optional, scope))
    }
    return mapOf(keyType ?? this.#newVariable(), valueType ?? this.#newVariable())
  }

  #maybeOptional(value: Expr, optional: boolean, scope: Scope): CelType {
    const type = this.check(value, scope)
    if (!optional) return type
    const inner = substitute(this.#substitutions, type)
    if (isOptional(inner)) return inner.params[0] as CelType
    if (inner.kind !== 'dyn') {
      const message = `expected type '${printType(optionalOf(inner))}' but found '${printType(inner)}'`
      this.#issue(value.position, message)
    }
    return inner
  }

  /** Mixed lists are refused later, as they are allowed where texts are formatted. */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current
    if (this.#fits(previous, current)) return mostGeneral(previous, current)
    return DYN
  }

  #struct(expr: StructExpr, scope: Scope): CelType {
    const type = this.#environment.types.get(expr.typeName.replace(/^\./, ''))
    const isMessage = type?.kind === 'object'
    if (!isMessage) {
      const known = lookUpName(this.#environment, expr.typeName)
      if (!known) return this.#undeclared(expr, expr.typeName)
      this.#issue(expr.position, notMessage(known))
    }
    for (const { name, value, optional, position } of expr.fields) {
      const given = this.#maybeOptional(value, optional, scope)
      const problem = type ? `undefined field '${name}'` : `unexpected failed resolution of '${expr.typeName}'`
      const expected = type?.fields?.get(name) ?? this.#issue(position, problem)
      if (this.#fits(expected, given)) continue
      const [wanted, found] = [printType(expected), printType(given)]
      this.#issue(position, `expected type of field '${name}' is '${wanted}' but provided type is '${found}'`)
    }
    return isMessage ? type : ERROR
  }

  #fold(expr: FoldExpr, scope: Scope): CelType {
    const range = substitute(this.#substitutions, this.check(expr.range, scope))
    const accuType = this.check(expr.init, scope)
    const outer = new Map([...scope, [expr.accu, accuType] as const])
    const inner = new Map([...outer, ...this.#loopVariables(expr, range)])
    this.#assert(expr.condition, this.check(expr.condition, inner), BOOL)
    this.#assert(expr.step, this.check(expr.step, inner), accuType)
    return substitute(this.#substitutions, this.check(expr.result, outer))
  }

  #loopVariables(expr: FoldExpr, range: CelType): readonly (readonly [string, CelType])[] {
    const types = loopTypes(range)
    if (types && range.kind !== 'list' && range.kind !== 'map') this.#fits(DYN, range)
    if (!types) {
      const what = `expression of type '${printType(range)}' cannot be range of a comprehension`
      this.#issue(expr.range.position, `${what} (must be list, map, or dynamic)`)
    }
    const [first, second] = types ?? [ERROR, ERROR]
    if (expr.variable2 !== undefined) return [[expr.variable, first] as const, [expr.variable2, second] as const]
    return [[expr.variable, range.kind === 'list' ? second : first] as const]
  }

  #assert({ position }: Expr, found: CelType, expected: CelType): void {
    if (this.#fits(expected, found)) return
    this.#issue(position, `expected type '${printType(expected)}' but found '${printType(found)}'`)
  }

  #fits(expected: CelType, found: CelType): boolean {
    return this.#fitsAll([expected], [found])
  }

  #fitsAll(expected: readonly CelType[], found: readonly CelType[]): boolean {
    const substitutions = assignable(this.#substitutions, expected, found)
    if (substitutions) this.#substitutions = substitutions
    return substitutions !== undefined
  }

  #newVariable(): CelType {
    this.#variables += 1
    return typeParam(`_var${this.#variables - 1}`)
  }

  #issue(position: number, message: string): CelType {
    this.#issues.push({ position, message })
    return ERROR
  }
}

function rootOf(name: string): string {
  return name.split('.', 1)[0] as string
}
