import type { Schema } from '../../../core/schema/schema.ts'
import type { Expr } from '../../../sandbox/apiserver/cel/expr.ts'
import { textLiteral } from '../jsonata-text.ts'
import { Undecided } from '../undecided.ts'
import { type CelScope, withNames } from './cel-scope.ts'
import { demand, type ReadExpr, settle } from './settle.ts'
import { BOOLEAN, LEVEL, listOf, MAP, operandText, TEXT, type Translation, translation } from './translation.ts'

type Macro = (args: readonly Expr[], scope: CelScope, read: ReadExpr) => Translation

/** What CEL says about each item of a list, or each key of a map: the list, the names of the item, and expressions over them. */
export const CEL_MACROS: Readonly<Record<string, Macro>> = {
  exists: (args, scope, read) => conditionOf(args, scope, read) ?? counted('> 0', args, scope, read),
  exists_one: (args, scope, read) => counted('= 1', args, scope, read),
  existsOne: (args, scope, read) => counted('= 1', args, scope, read),
  all: (args, scope, read) => {
    const { list, body, name } = overItems(args, scope, read)
    const text = `$count($filter(${list.text}, function(${name}) { ${body.text} })) = $count(${list.text})`
    return translation(text, { level: LEVEL.comparison, schema: BOOLEAN, needs: list.needs })
  },
  filter: (args, scope, read) => {
    const { list, body, name } = overItems(args, scope, read)
    const text = `$filter(${list.text}, function(${name}) { ${body.text} })`
    return translation(text, { schema: listOf(list.schema?.items), needs: list.needs })
  },
  map: (args, scope, read) => mapped(args, scope, read),
  sortBy: (args, scope, read) => sorted(args, scope, read),
  transformList: (args, scope, read) => {
    const { entries, body } = overEntries(args, scope, read)
    return translation(`$map(${entries.text}, function($entry) { ${body.text} })`, {
      schema: listOf(body.schema),
      needs: entries.needs,
    })
  },
  transformMap: (args, scope, read) => {
    const { entries, body } = overEntries(args, scope, read)
    const text = `$merge($map(${entries.text}, function($entry) { {$entry.key: ${body.text}} }))`
    return translation(text, { schema: { ...MAP, additionalProperties: body.schema ?? {} }, needs: entries.needs })
  },
  transformMapEntry: (args, scope, read) => {
    const { entries, body } = overEntries(args, scope, read)
    const text = `$merge($map(${entries.text}, function($entry) { ${body.text} }))`
    return translation(text, { schema: MAP, needs: entries.needs })
  },
  optMap: (args, scope, read) => {
    const [target, name, expr] = args as readonly [Expr, Expr, Expr]
    const value = read(target, scope)
    const names = new Map([[nameOf(name), { ...value, pending: false, optional: false }]])
    const inner = withNames(scope, names)
    const body = settle(read(expr, inner), inner)
    const text = `$exists(${value.text}) ? ${operandText(body, LEVEL.or)}`
    return translation(text, { level: LEVEL.condition, schema: body.schema, optional: true, needs: value.needs })
  },
}

interface OverItems {
  readonly list: Translation
  /** Of the item, with its `$`. */
  readonly name: string
  readonly body: Translation
}

/** A list, a name and an expression. Of a map, its keys. */
function overItems(args: readonly Expr[], scope: CelScope, read: ReadExpr): OverItems {
  const [target, variable, expr, ...rest] = args
  if (rest.length > 0) throw new Undecided('RB1705', 'a macro with two names has no counterpart here')
  const whole = settle(read(target as Expr, scope), scope)
  const isMap = whole.schema?.type === 'object'
  const list = isMap ? translation(`$keys(${whole.text})`, { schema: listOf(TEXT), needs: whole.needs }) : whole
  const { name, inner } = itemOf(variable as Expr, list.schema?.items, scope)
  return { list, name, body: settle(read(expr as Expr, inner), inner) }
}

function itemOf(variable: Expr, schema: Schema | undefined, scope: CelScope): { name: string; inner: CelScope } {
  const given = nameOf(variable)
  const name = `$${scope.freeName(given)}`
  return { name, inner: withNames(scope, new Map([[given, translation(name, { schema })]])) }
}

function nameOf(expr: Expr): string {
  if (expr.kind === 'ident') return expr.name
  throw new Undecided('RB1705', 'the first argument of a macro is a name')
}

function counted(how: string, args: readonly Expr[], scope: CelScope, read: ReadExpr): Translation {
  const { list, body, name } = overItems(args, scope, read)
  const text = `$count($filter(${list.text}, function(${name}) { ${body.text} })) ${how}`
  return translation(text, { level: LEVEL.comparison, schema: BOOLEAN, needs: list.needs })
}

function mapped(args: readonly Expr[], scope: CelScope, read: ReadExpr): Translation {
  if (args.length === 4)
    throw new Undecided('RB1705', '`map()` with a filter has no counterpart', { hint: 'use `filter()`, then `map()`' })
  const { list, body, name } = overItems(args, scope, read)
  if (body.schema?.type === 'array') throw new Undecided('RB1705', 'a list of lists becomes one list in JSONata')
  const text = body.text === name ? list.text : `$map(${list.text}, function(${name}) { ${body.text} })`
  return translation(text, { schema: listOf(body.schema), needs: list.needs })
}

function sorted(args: readonly Expr[], scope: CelScope, read: ReadExpr): Translation {
  const { list, body, name } = overItems(args, scope, read)
  const variable = new RegExp(`\\${name}\\b`, 'g')
  const [left, right] = ['$left', '$right'].map((side) => body.text.replace(variable, () => side))
  const text = `$sort(${list.text}, function($left, $right) { ${left} > ${right} })`
  return translation(text, { schema: listOf(list.schema?.items), needs: list.needs })
}

/** `conditions.exists(c, c.type == "Ready" && c.status == "True")` of an object. */
function conditionOf(args: readonly Expr[], scope: CelScope, read: ReadExpr): Translation | undefined {
  const [target, variable, body] = args
  if (target?.kind !== 'select' || target.field !== 'conditions' || target.operand.kind !== 'select') return undefined
  if (variable?.kind !== 'ident' || target.operand.field !== 'status' || body?.kind !== 'call') return undefined
  const wanted = body.name === '_&&_' ? body.args.map((one) => fieldIs(one, variable.name)) : []
  const values = new Map(wanted.flatMap((one) => (one ? [one] : [])))
  const [type, status] = [values.get('type'), values.get('status')]
  if (type === undefined || status === undefined) return undefined
  const { text } = read(target.operand.operand, scope)
  if (!text.startsWith('$') || text === '$') return undefined
  const found = `$condition(${text}, ${textLiteral(type)}).status = ${textLiteral(status)}`
  const needs = scope.repeated ? [] : [`$exists(${text}.status.conditions)`]
  return translation(found, { level: LEVEL.comparison, schema: BOOLEAN, needs })
}

/** `c.type == "Ready"`. */
function fieldIs(expr: Expr, variable: string): readonly [string, string] | undefined {
  if (expr.kind !== 'call' || expr.name !== '_==_') return undefined
  const [left, right] = expr.args
  if (left?.kind !== 'select' || left.operand.kind !== 'ident' || left.operand.name !== variable) return undefined
  return right?.kind === 'literal' && typeof right.value === 'string' ? [left.field, right.value] : undefined
}

/** A map, the names of key and value, and an expression. */
function overEntries(
  args: readonly Expr[],
  scope: CelScope,
  read: ReadExpr,
): { entries: Translation; body: Translation } {
  const [target, key, value, expr, ...rest] = args
  if (rest.length > 0) throw new Undecided('RB1705', 'a macro with a filter has no counterpart')
  const map = settle(read(target as Expr, scope), scope)
  if (map.schema?.type !== 'object') throw new Undecided('RB1705', 'only of a map, this has a counterpart')
  const { additionalProperties: values } = map.schema
  const names = new Map([
    [nameOf(key as Expr), translation('$entry.key', { schema: TEXT })],
    [nameOf(value as Expr), translation('$entry.value', { schema: typeof values === 'object' ? values : undefined })],
  ])
  const inner = withNames(scope, names)
  const body = demand(read(expr as Expr, inner), inner)
  return { entries: translation(`$entries(${map.text})`, { needs: map.needs }), body }
}
