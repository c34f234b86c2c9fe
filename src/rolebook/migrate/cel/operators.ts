import type { Expr } from '../../../sandbox/apiserver/cel/expr.ts'
import { Undecided } from '../undecided.ts'
import type { CelScope } from './cel-scope.ts'
import { demand, type ReadExpr, settle } from './settle.ts'
import {
  allOf,
  BOOLEAN,
  isNumber,
  LEVEL,
  NUMBER,
  operandText,
  TEXT,
  type Translation,
  translation,
} from './translation.ts'

type Operator = (args: readonly Expr[], scope: CelScope, read: ReadExpr) => Translation

/** The operators of CEL, by the names that its grammar gives them. */
export const CEL_OPERATORS: Readonly<Record<string, Operator>> = {
  '_&&_': ([left, right], scope, read) => logic('and', [left as Expr, right as Expr], scope, read),
  '_||_': ([left, right], scope, read) => logic('or', [left as Expr, right as Expr], scope, read),
  '!_': ([operand], scope, read) => {
    const { text, needs } = demand(read(operand as Expr, scope), scope)
    return translation(`$not(${text})`, { schema: BOOLEAN, needs })
  },
  '-_': ([operand], scope, read) => {
    const value = demand(read(operand as Expr, scope), scope)
    return translation(`-${operandText(value)}`, { schema: value.schema, needs: value.needs, level: LEVEL.product })
  },
  '_==_': ([left, right], scope, read) => equality('=', [left as Expr, right as Expr], scope, read),
  '_!=_': ([left, right], scope, read) => equality('!=', [left as Expr, right as Expr], scope, read),
  '_<_': compared('<'),
  '_<=_': compared('<='),
  '_>_': compared('>'),
  '_>=_': compared('>='),
  '@in': ([item, list], scope, read) => membership([item as Expr, list as Expr], scope, read),
  '_+_': ([left, right], scope, read) => sum([left as Expr, right as Expr], scope, read),
  '_-_': arithmetic('-', LEVEL.sum),
  '_*_': arithmetic('*', LEVEL.product),
  '_%_': arithmetic('%', LEVEL.product),
  '_/_': ([left, right], scope, read) => quotient([left as Expr, right as Expr], scope, read),
  '_?_:_': ([condition, yes, no], scope, read) => choice([condition, yes, no] as [Expr, Expr, Expr], scope, read),
}

type Two = readonly [Expr, Expr]

function logic(word: 'and' | 'or', [left, right]: Two, scope: CelScope, read: ReadExpr): Translation {
  const inner = { ...scope, conditional: true }
  const [first, second] = [settle(read(left, scope), scope), settle(read(right, inner), inner)]
  const level = LEVEL[word]
  const rest = second.needs.length === 0 ? [] : [restOf(word, first, second)]
  return translation(`${operandText(first, level)} ${word} ${operandText(second, level)}`, {
    level,
    schema: BOOLEAN,
    needs: [...first.needs, ...rest],
  })
}

/** The second operand is only asked for when the first one does not decide. */
function restOf(word: 'and' | 'or', first: Translation, { needs }: Translation): string {
  const condition = operandText(first, LEVEL.or)
  return word === 'and' ? `(${condition} ? ${allOf(needs)} : true)` : `(${condition} ? true : ${allOf(needs)})`
}

/** Comparing with `null` asks whether there is anything. */
function equality(operator: '=' | '!=', [left, right]: Two, scope: CelScope, read: ReadExpr): Translation {
  const other = isNull(left) ? right : isNull(right) ? left : undefined
  if (other) {
    const { text, needs } = read(other, scope)
    const exists = `$exists(${text})`
    return translation(operator === '!=' ? exists : `$not(${exists})`, { schema: BOOLEAN, needs })
  }
  const wanted = operator === '!=' ? demand : settle
  return comparison(operator, wanted(read(left, scope), scope), wanted(read(right, scope), scope))
}

function isNull(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.value === null
}

function compared(operator: string): Operator {
  return ([left, right], scope, read) =>
    comparison(operator, settle(read(left as Expr, scope), scope), settle(read(right as Expr, scope), scope))
}

function comparison(operator: string, left: Translation, right: Translation): Translation {
  const level = LEVEL.comparison
  const text = `${operandText(left, LEVEL.sum)} ${operator} ${operandText(right, LEVEL.sum)}`
  return translation(text, { level, schema: BOOLEAN, needs: [...left.needs, ...right.needs] })
}

function membership([item, list]: Two, scope: CelScope, read: ReadExpr): Translation {
  const [value, all] = [settle(read(item, scope), scope), settle(read(list, scope), scope)]
  if (all.schema?.type === 'array') return comparison('in', value, all)
  if (all.schema?.type !== 'object') throw new Undecided('RB1705', 'it is not known whether this is a list or a map')
  return translation(`$exists($lookup(${all.text}, ${value.text}))`, {
    schema: BOOLEAN,
    needs: [...value.needs, ...all.needs],
  })
}

function sum([left, right]: Two, scope: CelScope, read: ReadExpr): Translation {
  const [first, second] = [demand(read(left, scope), scope), demand(read(right, scope), scope)]
  const types = [first.schema?.type, second.schema?.type]
  const needs = [...first.needs, ...second.needs]
  if (types.includes('array')) {
    return translation(`$append(${first.text}, ${second.text})`, { schema: first.schema ?? second.schema, needs })
  }
  const isText = types.includes('string')
  if (!isText && !isNumber(first.schema) && !isNumber(second.schema)) {
    throw new Undecided('RB1705', 'it is not known whether `+` joins texts or adds numbers')
  }
  const operator = isText ? '&' : '+'
  return translation(`${operandText(first, LEVEL.sum)} ${operator} ${operandText(second, LEVEL.sum + 1)}`, {
    level: LEVEL.sum,
    schema: isText ? TEXT : (first.schema ?? second.schema),
    needs,
  })
}

function arithmetic(operator: string, level: number): Operator {
  return ([left, right], scope, read) => {
    const [first, second] = [demand(read(left as Expr, scope), scope), demand(read(right as Expr, scope), scope)]
    return translation(`${operandText(first, level)} ${operator} ${operandText(second, level + 1)}`, {
      level,
      schema: first.schema ?? second.schema ?? NUMBER,
      needs: [...first.needs, ...second.needs],
    })
  }
}

/** Whole numbers are cut off after the division, towards zero. */
function quotient([left, right]: Two, scope: CelScope, read: ReadExpr): Translation {
  const [first, second] = [demand(read(left, scope), scope), demand(read(right, scope), scope)]
  const types = [first.schema?.type, second.schema?.type]
  const needs = [...first.needs, ...second.needs]
  const [above, below] = [operandText(first, LEVEL.product + 1), operandText(second, LEVEL.product + 1)]
  if (types.includes('number'))
    return translation(`${above} / ${below}`, { level: LEVEL.product, schema: NUMBER, needs })
  if (!types.includes('integer')) throw new Undecided('RB1705', 'it is not known whether these numbers are whole')
  const text = `(${above} - ${above} % ${below}) / ${below}`
  return translation(text, { level: LEVEL.product, schema: { type: 'integer' }, needs })
}

function choice([condition, yes, no]: readonly [Expr, Expr, Expr], scope: CelScope, read: ReadExpr): Translation {
  const asked = demand(read(condition, scope), scope)
  const inner = { ...scope, conditional: true }
  const [first, second] = [branch(yes, inner, read), branch(no, inner, read)]
  const question = operandText(asked, LEVEL.or)
  const isNeeded = [first, second].some((one) => (one?.needs.length ?? 0) > 0)
  const needs = isNeeded ? [`(${question} ? ${allOf(first?.needs ?? [])} : ${allOf(second?.needs ?? [])})`] : []
  const schema = first?.schema ?? second?.schema
  const options = { level: LEVEL.condition, schema, needs: [...asked.needs, ...needs], optional: !first || !second }
  if (!first && !second) return translation('null', { optional: true })
  if (!second) return translation(`${question} ? ${operandText(first as Translation, LEVEL.or)}`, options)
  if (!first) return translation(`$not(${asked.text}) ? ${operandText(second, LEVEL.or)}`, options)
  return translation(`${question} ? ${operandText(first, LEVEL.or)} : ${operandText(second, LEVEL.or)}`, options)
}

/** `null` and `omit()` are nothing at all. */
function branch(expr: Expr, scope: CelScope, read: ReadExpr): Translation | undefined {
  const isOmitted = expr.kind === 'call' && expr.name === 'omit' && expr.target === undefined
  return isNull(expr) || isOmitted ? undefined : settle(read(expr, scope), scope)
}
