import type { Schema } from '../../../core/schema/schema.ts'
import type { Expr } from '../../../sandbox/apiserver/cel/expr.ts'
import { textLiteral } from '../jsonata-text.ts'
import { Undecided } from '../undecided.ts'
import type { CelScope } from './cel-scope.ts'
import { formatted } from './format-call.ts'
import { CEL_MACROS } from './macros.ts'
import { demand, type ReadExpr, settle } from './settle.ts'
import {
  BOOLEAN,
  INTEGER,
  LEVEL,
  listOf,
  MAP,
  NUMBER,
  operandText,
  TEXT,
  type Translation,
  translation,
} from './translation.ts'

/** A call in JSONata; the first argument of a method is what it is called on. @throws Undecided */
export type CallRule = (args: readonly Expr[], scope: CelScope, read: ReadExpr) => Translation

/** Functions: `string(x)`, `base64.encode(x)`. */
export const CEL_FUNCTIONS: Readonly<Record<string, CallRule>> = {
  size: ([x], scope, read) => size(settle(read(x as Expr, scope), scope)),
  string: ([x], scope, read) => asText(x as Expr, scope, read),
  int: ([x], scope, read) => asNumber(demand(read(x as Expr, scope), scope), INTEGER),
  double: ([x], scope, read) => asNumber(demand(read(x as Expr, scope), scope), NUMBER),
  dyn: ([x], scope, read) => read(x as Expr, scope),
  quantity: simple('$quantity', NUMBER),
  'lists.range': ([n], scope, read) => {
    const count = demand(read(n as Expr, scope), scope)
    const last = count.text.startsWith('$count') ? `${count.text} - 1` : `${operandText(count)} - 1`
    return translation(`[0..${last}]`, { schema: listOf(INTEGER), needs: count.needs })
  },
  'json.unmarshal': simple('$fromJson', undefined),
  'json.marshal': refused('JSON has its keys in another order', '`$toJson` writes a value as JSON'),
  'random.seededString': refused('it would give another value', '`generate` makes values of Secrets that stay'),
  'random.seededInt': refused('it would give another value', '`generate` makes values of Secrets that stay'),
  'base64.encode': ([x], scope, read) => base64(x as Expr, scope, read),
  'hash.sha256': refused('bytes have no counterpart', '`$sha256` gives the hash of a text in hex'),
  'math.greatest': several('$max'),
  'math.least': several('$min'),
  omit: refused('it stands only after `? :`', 'put the task under a `when`'),
}

/** Methods: `text.lowerAscii()`, `list.join(",")`. */
export const CEL_METHODS: Readonly<Record<string, CallRule>> = {
  ...CEL_MACROS,
  size: ([x], scope, read) => size(settle(read(x as Expr, scope), scope)),
  orValue: ([x, other], scope, read) => orValue([x, other] as [Expr, Expr], scope, read),
  hasValue: ([x], scope, read) => {
    const { text, needs } = read(x as Expr, scope)
    return translation(`$exists(${text})`, { schema: BOOLEAN, needs })
  },
  value: ([x], scope, read) => settle({ ...read(x as Expr, scope), pending: true }, scope),
  contains: simple('$contains', BOOLEAN),
  startsWith: ([x, part], scope, read) => affix('start', [x, part] as [Expr, Expr], scope, read),
  endsWith: ([x, part], scope, read) => affix('end', [x, part] as [Expr, Expr], scope, read),
  matches: ([x, pattern], scope, read) => {
    const { text, needs } = demand(read(x as Expr, scope), scope)
    return translation(`$contains(${text}, ${regexOf(pattern as Expr)})`, { schema: BOOLEAN, needs })
  },
  lowerAscii: simple('$lowercase', TEXT),
  upperAscii: simple('$uppercase', TEXT),
  trim: ([x], scope, read) => {
    const { text, needs } = demand(read(x as Expr, scope), scope)
    return translation(`$replace(${text}, /^\\s+|\\s+$/, "")`, { schema: TEXT, needs })
  },
  replace: ([x, from, to, ...limit], scope, read) => {
    if (limit.length > 0) throw new Undecided('RB1705', '`replace()` with a limit has no counterpart')
    return call({ name: '$replace', schema: TEXT }, [x, from, to] as Expr[], scope, read)
  },
  split: ([x, separator, ...limit], scope, read) => {
    if (limit.length > 0) throw new Undecided('RB1705', '`split()` with a limit keeps the rest, and `$split` drops it')
    return call({ name: '$split', schema: listOf(TEXT) }, [x, separator] as Expr[], scope, read)
  },
  join: (args, scope, read) => {
    const [list, separator] = args.map((arg) => demand(read(arg, scope), scope))
    const text = separator === undefined ? '' : `, ${separator.text}`
    const needs = [...(list as Translation).needs, ...(separator?.needs ?? [])]
    return translation(`$join(${list?.text}${text})`, { schema: TEXT, needs })
  },
  substring: (args, scope, read) => substring(args, scope, read),
  charAt: ([x, at], scope, read) => {
    const [text, index] = [demand(read(x as Expr, scope), scope), demand(read(at as Expr, scope), scope)]
    const needs = [...text.needs, ...index.needs]
    return translation(`$substring(${text.text}, ${index.text}, 1)`, { schema: TEXT, needs })
  },
  format: ([pattern, values], scope, read) => formatted(pattern as Expr, values as Expr, scope, read),
  sum: simple('$sum', NUMBER),
  min: simple('$min', undefined),
  max: simple('$max', undefined),
  distinct: kept('$distinct'),
  reverse: kept('$reverse'),
  sort: kept('$sort'),
  slice: ([x, from, to], scope, read) => {
    const list = settle(read(x as Expr, scope), scope)
    const [first, end] = [whole(from), whole(to)]
    if (first === undefined || end === undefined) throw new Undecided('RB1705', '`slice()` of computed numbers')
    const text = end <= first ? '[]' : `${operandText(list)}[[${first}..${end - 1}]]`
    return translation(text, { schema: list.schema ?? listOf(undefined), needs: list.needs })
  },
  merge: ([first, second], scope, read) => merged('$merge', [first, second] as [Expr, Expr], scope, read),
  deepMerge: ([first, second], scope, read) => merged('$mergeDeep', [first, second] as [Expr, Expr], scope, read),
  isLessThan: quantities('<'),
  isGreaterThan: quantities('>'),
}

interface Called {
  readonly name: string
  /** Of the result. */
  readonly schema: Schema | undefined
}

function call({ name, schema }: Called, args: readonly Expr[], scope: CelScope, read: ReadExpr): Translation {
  const values = args.map((arg) => demand(read(arg, scope), scope))
  const options = { schema, needs: values.flatMap(({ needs }) => needs) }
  return translation(`${name}(${values.map(({ text }) => text).join(', ')})`, options)
}

function simple(name: string, schema: Schema | undefined): CallRule {
  return (args, scope, read) => call({ name, schema }, args, scope, read)
}

function several(name: string): CallRule {
  return (args, scope, read) => {
    const { text, needs } = call({ name: '', schema: NUMBER }, args, scope, read)
    return translation(`${name}([${text.slice(1, -1)}])`, { schema: NUMBER, needs })
  }
}

/** A list of the same items. */
function kept(name: string): CallRule {
  return ([list], scope, read) => {
    const { text, schema, needs } = settle(read(list as Expr, scope), scope)
    return translation(`${name}(${text})`, { schema: schema ?? listOf(undefined), needs })
  }
}

function refused(reason: string, hint: string): CallRule {
  return () => {
    throw new Undecided('RB1705', `the function has no counterpart: ${reason}`, { hint })
  }
}

function size({ schema, text, needs }: Translation): Translation {
  const counted: Readonly<Record<string, string>> = {
    array: `$count(${text})`,
    string: `$length(${text})`,
    object: `$count($keys(${text}))`,
  }
  const found = counted[schema?.type ?? '']
  if (found === undefined) throw new Undecided('RB1705', 'it is not known whether this is a list, a map or text')
  return translation(found, { schema: INTEGER, needs })
}

function asText(expr: Expr, scope: CelScope, read: ReadExpr): Translation {
  const decoded =
    expr.kind === 'call' && expr.name === 'decode' && expr.target?.kind === 'ident' && expr.target.name === 'base64'
  if (decoded) return call({ name: '$base64decode', schema: TEXT }, expr.args, scope, read)
  const value = demand(read(expr, scope), scope)
  if (value.schema?.type === 'string') return value
  return translation(`$string(${value.text})`, { schema: TEXT, needs: value.needs })
}

function asNumber(value: Translation, schema: Schema): Translation {
  const { type } = value.schema ?? {}
  if (type === 'integer' || (type === 'number' && schema === NUMBER)) return { ...value, schema }
  if (type === 'number') throw new Undecided('RB1705', '`int()` of a fraction has no counterpart')
  return translation(`$number(${value.text})`, { schema, needs: value.needs })
}

/** `base64.encode(bytes(text))`. */
function base64(expr: Expr, scope: CelScope, read: ReadExpr): Translation {
  const [text] = expr.kind === 'call' && expr.name === 'bytes' && !expr.target ? expr.args : []
  if (text) return call({ name: '$base64encode', schema: TEXT }, [text], scope, read)
  throw new Undecided('RB1705', 'only `base64.encode(bytes(text))` has a counterpart')
}

/** `x.?y.orValue(z)`. */
function orValue([expr, other]: readonly [Expr, Expr], scope: CelScope, read: ReadExpr): Translation {
  const value = read(expr, scope)
  const inner = { ...scope, conditional: true }
  const fallback = settle(read(other, inner), inner)
  return translation(`${operandText(value, LEVEL.or)} ?? ${operandText(fallback, LEVEL.or)}`, {
    level: LEVEL.condition,
    schema: value.schema ?? fallback.schema,
    needs: [...value.needs, ...fallback.needs],
  })
}

function affix(
  end: 'start' | 'end',
  [expr, part]: readonly [Expr, Expr],
  scope: CelScope,
  read: ReadExpr,
): Translation {
  const [text, wanted] = [demand(read(expr, scope), scope), demand(read(part, scope), scope)]
  const known = part.kind === 'literal' && typeof part.value === 'string' ? part.value.length : undefined
  if (known === 0) return translation('true', { schema: BOOLEAN })
  if (known === undefined && end === 'end') throw new Undecided('RB1705', '`endsWith()` of a computed text')
  const count = known ?? `$length(${wanted.text})`
  const range = end === 'start' ? `0, ${count}` : `-${count}`
  return translation(`$substring(${text.text}, ${range}) = ${operandText(wanted, LEVEL.sum)}`, {
    level: LEVEL.comparison,
    schema: BOOLEAN,
    needs: [...text.needs, ...wanted.needs],
  })
}

function regexOf(expr: Expr): string {
  if (expr.kind !== 'literal' || typeof expr.value !== 'string') {
    throw new Undecided('RB1705', 'a pattern must be known before the role runs')
  }
  return `/${expr.value.replace(/\\?\//g, '\\/')}/`
}

/** Up to the end, or up to a position that CEL counts from the beginning. */
function substring(args: readonly Expr[], scope: CelScope, read: ReadExpr): Translation {
  const [text, start, end] = args.map((arg) => demand(read(arg, scope), scope)) as [
    Translation,
    Translation,
    Translation?,
  ]
  const needs = [text, start, end].flatMap((one) => one?.needs ?? [])
  const [from, to] = [whole(args[1]), whole(args[2])]
  const known = from !== undefined && to !== undefined ? String(to - from) : undefined
  const computed = end && `${operandText(end, LEVEL.sum)} - ${operandText(start, LEVEL.product)}`
  const length = end === undefined ? '' : `, ${known ?? (from === 0 ? end.text : computed)}`
  return translation(`$substring(${text.text}, ${start.text}${length})`, { schema: TEXT, needs })
}

function whole(expr: Expr | undefined): number | undefined {
  return expr?.kind === 'literal' && typeof expr.value === 'bigint' ? Number(expr.value) : undefined
}

function merged(name: string, maps: readonly [Expr, Expr], scope: CelScope, read: ReadExpr): Translation {
  const [first, second] = maps.map((one) => settle(read(one, scope), scope)) as [Translation, Translation]
  const options = { schema: MAP, needs: [...first.needs, ...second.needs] }
  return translation(`${name}([${first.text}, ${second.text}])`, options)
}

/** `quantity("500Mi").isLessThan(quantity("1Gi"))`. */
function quantities(operator: string): CallRule {
  return ([left, right], scope, read) => {
    const [first, second] = [left, right].map((one) => demand(read(one as Expr, scope), scope)) as [
      Translation,
      Translation,
    ]
    if (![first, second].every(({ text }) => text.startsWith('$quantity('))) {
      throw new Undecided('RB1705', 'only quantities are compared so', { hint: textLiteral(operator) })
    }
    return translation(`${first.text} ${operator} ${second.text}`, {
      level: LEVEL.comparison,
      schema: BOOLEAN,
      needs: [...first.needs, ...second.needs],
    })
  }
}
