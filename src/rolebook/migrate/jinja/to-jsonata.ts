import { type Jsonata, jsonata, operand, textLiteral } from '../jsonata-text.ts'
import type { RoleNames, Steps } from '../role-names.ts'
import { type Shape, shapeOfType, shapeOfValue } from '../shape.ts'
import { Undecided } from '../undecided.ts'
import { applyFilter } from './filters.ts'
import type { JinjaNode, Operator } from './jinja-tree.ts'
import { parseJinja } from './parse-jinja.ts'

const BOOLEAN: Shape = shapeOfType('boolean')
const NUMBER: Shape = shapeOfType('number')

/** An expression of Jinja as one of JSONata that yields the same value. @throws Undecided */
export function toJsonata(source: string, names: RoleNames): Jsonata {
  return new Translator(names).value(parseJinja(source))
}

/** The same, as true or false. @throws Undecided */
export function toCondition(source: string, names: RoleNames): Jsonata {
  return new Translator(names).condition(parseJinja(source))
}

class Translator {
  readonly #names: RoleNames

  constructor(names: RoleNames) {
    this.#names = names
  }

  value(node: JinjaNode): Jsonata {
    switch (node.kind) {
      case 'literal':
        return literal(node.value)
      case 'name':
      case 'field':
      case 'item':
        return this.#path(node)
      case 'filter':
        return applyFilter(this.value(node.of), node, {
          value: (one) => this.value(one),
          condition: (one) => this.condition(one),
        })
      case 'minus':
        return jsonata(`-${operand(this.value(node.of))}`, { binds: 'loose', shape: NUMBER })
      case 'list':
        return jsonata(`[${node.items.map((item) => this.value(item).text).join(', ')}]`, {
          shape: shapeOfType('list'),
        })
      case 'map':
        return jsonata(`{${node.entries.map((entry) => this.#entry(entry)).join(', ')}}`, { shape: shapeOfType('map') })
      case 'choice':
        return this.#choice(node)
      case 'call':
        return this.#call(node)
      default:
        return this.#computed(node)
    }
  }

  /** What Jinja takes for true: nothing, 0, '' and empty lists are not. */
  condition(node: JinjaNode): Jsonata {
    if (node.kind === 'operator' && (node.operator === 'and' || node.operator === 'or')) return this.#junction(node)
    if (node.kind === 'not') return this.#negation(this.condition(node.of))
    if (node.kind === 'test') return this.#test(node)
    const value = this.value(node)
    if (value.shape.type === 'boolean') return value
    return jsonata(`$boolean(${value.text})`, { shape: BOOLEAN, optional: value.optional })
  }

  #computed(node: JinjaNode & { readonly kind: 'operator' | 'not' | 'test' }): Jsonata {
    if (node.kind !== 'operator') return this.condition(node)
    const { operator } = node
    if (operator === 'and' || operator === 'or') return this.#valueJunction(node)
    const [left, right] = [this.value(node.left), this.value(node.right)]
    if (operator === '==') return comparison(`${operand(left)} = ${operand(right)}`)
    // Of nothing, JSONata takes `!=` for false.
    if (operator === '!=') return jsonata(`$not(${operand(left)} = ${operand(right)})`, { shape: BOOLEAN })
    if (operator === 'in' || operator === 'not in') return this.#membership(operator, left, right)
    if (['<', '<=', '>', '>='].includes(operator)) return comparison(`${operand(left)} ${operator} ${operand(right)}`)
    return arithmetic(operator, left, right)
  }

  #junction({ operator, left, right }: JinjaNode & { readonly kind: 'operator' }): Jsonata {
    const binds = operator === 'and' ? 'and' : 'or'
    const side = (node: JinjaNode): string => {
      const condition = this.condition(node)
      const tight = condition.binds === 'comparison' || condition.binds === binds
      return tight ? condition.text : operand(condition)
    }
    return jsonata(`${side(left)} ${operator} ${side(right)}`, { binds, shape: BOOLEAN })
  }

  /** Outside of conditions, `and` and `or` yield one of their sides. */
  #valueJunction(node: JinjaNode & { readonly kind: 'operator' }): Jsonata {
    const [left, right] = [this.#isTruth(node.left), this.#isTruth(node.right)]
    if (left && right) return this.#junction(node)
    const hint = 'write `??` for a default, or a condition of true and false'
    throw new Undecided('RB1705', `\`${node.operator}\` yields one of two values that are not true or false`, { hint })
  }

  #isTruth(node: JinjaNode): boolean {
    if (node.kind === 'not' || node.kind === 'test') return true
    if (node.kind === 'operator' && (node.operator === 'and' || node.operator === 'or')) {
      return this.#isTruth(node.left) && this.#isTruth(node.right)
    }
    return this.value(node).shape.type === 'boolean'
  }

  #negation(condition: Jsonata): Jsonata {
    const text = condition.optional ? `${operand(condition)} ?? false` : condition.text
    return jsonata(`$not(${text})`, { shape: BOOLEAN })
  }

  #test({ of, name, args, not }: JinjaNode & { readonly kind: 'test' }): Jsonata {
    const negative = not !== (name === 'undefined' || name === 'none' || name === 'falsy')
    const positive = args.length === 0 ? this.#plainTest(of, name) : undefined
    if (positive) return negative ? this.#negation(positive) : positive
    throw new Undecided('RB1705', `the test \`${name}\` has no counterpart`)
  }

  #plainTest(of: JinjaNode, name: string): Jsonata | undefined {
    if (['defined', 'undefined', 'none'].includes(name)) return this.#exists(of)
    if (name === 'truthy' || name === 'falsy') return this.condition(of)
    if (name === 'true' || name === 'false') return comparison(`${operand(this.value(of))} = ${name}`)
    return undefined
  }

  #exists(of: JinjaNode): Jsonata {
    const value = this.value(of)
    return jsonata(`$exists(${value.text})`, { shape: BOOLEAN })
  }

  #membership(operator: 'in' | 'not in', left: Jsonata, right: Jsonata): Jsonata {
    const text = membership(left, right)
    return operator === 'in' ? text : jsonata(`$not(${text.text})`, { shape: BOOLEAN })
  }

  #choice(node: JinjaNode & { readonly kind: 'choice' }): Jsonata {
    const then = this.value(node.then)
    const otherwise = node.else && this.value(node.else)
    const rest = otherwise ? ` : ${operand(otherwise)}` : ''
    const optional = then.optional || (otherwise?.optional ?? true)
    const text = `${operand(this.condition(node.if))} ? ${operand(then)}${rest}`
    return jsonata(text, { binds: 'loose', shape: then.shape, optional })
  }

  #entry([key, value]: readonly [JinjaNode, JinjaNode]): string {
    return `${this.value(key).text}: ${this.value(value).text}`
  }

  #call(node: JinjaNode & { readonly kind: 'call' }): Jsonata {
    const { of, args } = node
    const [key, fallback] = args
    if (of.kind === 'field' && of.name === 'get' && key?.kind === 'literal' && typeof key.value === 'string') {
      const field = this.value({ kind: 'field', of: of.of, name: key.value })
      if (!fallback) return { ...field, optional: true }
      return jsonata(`${operand(field)} ?? ${operand(this.value(fallback))}`, { binds: 'loose', shape: field.shape })
    }
    const name = of.kind === 'name' || of.kind === 'field' ? of.name : 'this'
    const isLookup = name === 'lookup' || name === 'query'
    const makesSecrets = key?.kind === 'literal' && key.value === 'password'
    const advice = makesSecrets
      ? '`generate` of an `ensure` makes values of Secrets that stay'
      : 'read objects with `get` or `list`'
    const hint = isLookup ? advice : undefined
    throw new Undecided('RB1705', `the function \`${name}\` has no counterpart`, { hint })
  }

  #path(node: JinjaNode & { readonly kind: 'name' | 'field' | 'item' }): Jsonata {
    const steps: (string | number)[] = []
    let here: JinjaNode = node
    while (here.kind === 'field' || here.kind === 'item') {
      steps.unshift(here.kind === 'field' ? here.name : stepOf(here.index))
      here = here.of
    }
    if (here.kind === 'name') return this.#names.resolve(here.name, steps)
    return fieldsOf(this.value(here), steps)
  }
}

/** Of something that was computed. */
function fieldsOf(value: Jsonata, steps: Steps): Jsonata {
  const text = steps.reduce<string>(
    (before, step) => (typeof step === 'number' ? `${before}[${step}]` : `${before}.\`${step}\``),
    operand(value),
  )
  return jsonata(text, { optional: true })
}

function stepOf(index: JinjaNode): string | number {
  const negative = index.kind === 'minus' && index.of.kind === 'literal' ? index.of.value : undefined
  if (typeof negative === 'number') return -negative
  if (index.kind === 'literal' && (typeof index.value === 'string' || typeof index.value === 'number'))
    return index.value
  throw new Undecided('RB1705', 'a field whose name is computed', { hint: 'write `$lookup(map, name)`' })
}

function literal(value: string | number | boolean | null): Jsonata {
  const text = typeof value === 'string' ? textLiteral(value) : String(value)
  return jsonata(text, { shape: shapeOfValue(value), optional: value === null })
}

function comparison(text: string): Jsonata {
  return jsonata(text, { binds: 'comparison', shape: BOOLEAN })
}

function membership(left: Jsonata, right: Jsonata): Jsonata {
  if (right.shape.type === 'list') return comparison(`${operand(left)} in ${operand(right)}`)
  if (right.shape.type === 'map') return comparison(`${operand(left)} in $keys(${right.text})`)
  if (right.shape.type === 'text') return jsonata(`$contains(${right.text}, ${left.text})`, { shape: BOOLEAN })
  const hint = '`in` looks into a list, `$contains(text, part)` into a text, `in $keys(…)` into a map'
  throw new Undecided('RB1705', 'nothing says whether `in` looks into a list or a text', { hint })
}

const ARITHMETIC: ReadonlyMap<Operator, string> = new Map([
  ['-', '-'],
  ['*', '*'],
  ['/', '/'],
  ['%', '%'],
])

function arithmetic(operator: Operator, left: Jsonata, right: Jsonata): Jsonata {
  const types = [left.shape.type, right.shape.type]
  if (operator === '~' || (operator === '+' && types.includes('text'))) {
    return jsonata(`${operand(left)} & ${operand(right)}`, { binds: 'loose', shape: shapeOfType('text') })
  }
  if (operator === '+' && types.includes('list')) {
    return jsonata(`[$append(${left.text}, ${right.text})]`, { shape: shapeOfType('list') })
  }
  if (types.includes('text')) throw new Undecided('RB1705', `\`${operator}\` of a text has no counterpart`)
  const sign = operator === '+' && types.includes('number') ? '+' : ARITHMETIC.get(operator)
  const text = `${operand(left)} ${sign} ${operand(right)}`
  if (sign !== undefined)
    return jsonata(text, { binds: 'loose', shape: NUMBER, optional: left.optional || right.optional })
  if (operator === '//') return jsonata(`$floor(${operand(left)} / ${operand(right)})`, { shape: NUMBER })
  if (operator === '**') return jsonata(`$power(${left.text}, ${right.text})`, { shape: NUMBER })
  const hint = '`+` adds numbers, `&` joins texts, `$append` lists'
  throw new Undecided('RB1705', 'nothing says whether `+` adds numbers, joins texts or lists', { hint })
}
