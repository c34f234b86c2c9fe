import type { Schema } from '../../../core/schema/schema.ts'
import { CelCompileError } from '../../../sandbox/apiserver/cel/cel-error.ts'
import type { CallExpr, Expr, ListExpr, LiteralExpr, MapExpr, SelectExpr } from '../../../sandbox/apiserver/cel/expr.ts'
import { parseCel } from '../../../sandbox/apiserver/cel/parse-cel.ts'
import { textLiteral } from '../jsonata-text.ts'
import { placed, Undecided } from '../undecided.ts'
import { asWhole } from './as-whole.ts'
import { CEL_FUNCTIONS, CEL_METHODS } from './cel-calls.ts'
import type { CelScope } from './cel-scope.ts'
import { CEL_OPERATORS } from './operators.ts'
import { fieldOf, itemAt } from './paths.ts'
import { settle } from './settle.ts'
import { listOf, MAP, NUMBER, TEXT, type Translation, translation } from './translation.ts'

/** The syntax tree of an expression of CEL. @throws Undecided when it is none */
export function readCel(source: string): Expr {
  try {
    return parseCel(source, { bindsNames: false, keepsMethods: true })
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error
    const [issue] = error.issues
    throw new Undecided('RB1705', `this is no CEL: ${issue?.message ?? ''}`, {
      place: { path: [], offset: issue?.position },
    })
  }
}

/** What an expression of CEL is in JSONata. @throws Undecided where there is nothing that surely means the same */
export function translate(expr: Expr, scope: CelScope): Translation {
  return placed({ path: [], offset: expr.position }, () => {
    if (expr.kind === 'literal') return literal(expr)
    if (expr.kind === 'ident') return named(expr.name, scope)
    if (expr.kind === 'select') return selected(expr, scope)
    if (expr.kind === 'call') return called(expr, scope)
    if (expr.kind === 'list') return list(expr, scope)
    if (expr.kind === 'map') return map(expr, scope)
    throw new Undecided('RB1705', 'objects with a type have no counterpart')
  })
}

function literal({ value }: LiteralExpr): Translation {
  if (typeof value === 'string') return translation(textLiteral(value), { schema: TEXT })
  if (typeof value === 'bigint') return translation(String(value), { schema: { type: 'integer' } })
  if (typeof value === 'number') return translation(String(value), { schema: NUMBER })
  if (typeof value === 'boolean') return translation(String(value), { schema: { type: 'boolean' } })
  if (value === null) return translation('null', { optional: true })
  throw new Undecided('RB1705', 'bytes and unsigned numbers have no counterpart')
}

function named(name: string, scope: CelScope): Translation {
  const found = scope.find(name)
  if (found) return found
  throw new Undecided('RB1705', `nothing is called \`${name}\``)
}

function selected({ operand, field, test }: SelectExpr, scope: CelScope): Translation {
  const whole = fieldOf(translate(operand, scope), field, scope)
  if (!test) return whole
  return translation(`$exists(${whole.text})`, { schema: { type: 'boolean' } })
}

function called(call: CallExpr, scope: CelScope): Translation {
  const { name, target, args } = call
  if (name === '_?._' || name === '_[?_]') return { ...access(call, scope), pending: false, optional: true }
  if (name === '_[_]') return access(call, scope)
  const operator = target === undefined ? own(CEL_OPERATORS, name) : undefined
  if (operator) return operator(args, scope, translate)
  const library =
    target?.kind === 'ident' && scope.find(target.name) === undefined ? `${target.name}.${name}` : undefined
  const found = library === undefined ? undefined : own(CEL_FUNCTIONS, library)
  if (library !== undefined && !found) throw new Undecided('RB1705', `\`${library}()\` has no counterpart`)
  const translateCall = found ?? own(target ? CEL_METHODS : CEL_FUNCTIONS, name)
  if (!translateCall) throw new Undecided('RB1705', `\`${name}()\` has no counterpart`)
  return translateCall(library === undefined && target ? [target, ...args] : args, scope, translate)
}

function own<Rule>(rules: Readonly<Record<string, Rule>>, name: string): Rule | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined
}

/** `list[0]`, `map["key"]`, `object.?field`, `list[?0]`. */
function access({ args }: CallExpr, scope: CelScope): Translation {
  const [operand, index] = args as readonly [Expr, Expr]
  const from = translate(operand, scope)
  if (index.kind === 'literal' && typeof index.value === 'string') return fieldOf(from, index.value, scope)
  if (index.kind === 'literal' && typeof index.value === 'bigint') return itemAt(from, Number(index.value))
  const key = settled(index, { ...scope, inStep: true })
  if (from.schema?.type === 'array' || key.schema?.type === 'integer') {
    const whole = settle(from, scope)
    const needs = [...whole.needs, ...key.needs]
    return translation(`${whole.text}[${key.text}]`, { schema: whole.schema?.items, optional: true, needs })
  }
  if (key.schema?.type !== 'string') throw new Undecided('RB1705', 'it is not known whether this is a list or a map')
  const plain = settled(index, scope)
  const needs = [...from.needs, ...plain.needs]
  const { additionalProperties: values } = from.schema ?? {}
  const schema = typeof values === 'object' ? values : undefined
  return translation(`$lookup(${from.text}, ${plain.text})`, { schema, optional: true, pending: true, needs })
}

function list({ items }: ListExpr, scope: CelScope): Translation {
  const values = items.map(({ value, optional }) => ({ ...settled(value, scope), leftOut: optional }))
  if (values.some(({ schema }) => schema?.type === 'array')) {
    throw new Undecided('RB1705', 'a list of lists becomes one list in JSONata', { hint: 'join them with `$append`' })
  }
  const schemas = values.map(({ schema }) => schema)
  const same = schemas.every((schema) => schema?.type === schemas[0]?.type)
  return translation(`[${values.map(({ text }) => text).join(', ')}]`, {
    schema: listOf(same ? schemas[0] : undefined),
    needs: values.flatMap(({ needs }) => needs),
  })
}

function map({ entries }: MapExpr, scope: CelScope): Translation {
  const fields = entries.map(({ key, value }) => {
    const name = settled(key, scope)
    const content = asWhole(settled(value, scope))
    return { name, content, text: `${name.text}: ${content.text}` }
  })
  const named = fields.filter(({ name }) => name.text.startsWith('"'))
  const properties = Object.fromEntries(
    named.map(({ name, content }) => [JSON.parse(name.text) as string, content.schema ?? {}]),
  ) as Record<string, Schema>
  return translation(`{${fields.map(({ text }) => text).join(', ')}}`, {
    schema: named.length === fields.length ? { ...MAP, properties, required: Object.keys(properties) } : MAP,
    needs: fields.flatMap(({ name, content }) => [...name.needs, ...content.needs]),
  })
}

function settled(expr: Expr, scope: CelScope): Translation {
  return settle(translate(expr, scope), scope)
}
