import { badRequest, quote } from '../api-status.ts'
import { checkLabelKey, checkLabelValue } from '../write/names.ts'

export type LabelMatcher = (labels: { readonly [key: string]: string } | undefined) => boolean

/**
 * `app=web,tier in (a,b),!legacy,size>3`: the grammar of the real server, which also reads what people write by mistake
 * the way it does.
 *
 * @throws ApiError 400
 */
export function compileLabelSelector(text: string): LabelMatcher {
  const requirements = new SelectorParser(scan(text)).parse()
  return (labels = {}) => requirements.every((holds) => holds(labels))
}

type Requirement = (labels: { readonly [key: string]: string }) => boolean

interface Token {
  /** `id` for names and values, `end`, or the symbol itself. */
  readonly type: string
  readonly text: string
}

const TOKEN = /\s*(?:(==|!=|[=!<>(),])|([^\s=!<>(),]+))/gy
const END: Token = { type: 'end', text: '' }
const OPERATORS = 'in, notin, =, ==, !=, gt, lt'

function scan(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const [, symbol, word = ''] of text.matchAll(TOKEN)) {
    const isKeyword = word === 'in' || word === 'notin'
    tokens.push(symbol ? { type: symbol, text: symbol } : { type: isKeyword ? word : 'id', text: word })
  }
  return tokens
}

class SelectorParser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): readonly Requirement[] {
    const requirements: Requirement[] = []
    while (this.#peek().type !== 'end') {
      if (!isOneOf(this.#peek(true), 'id', '!')) throw this.#unexpected("!, identifier, or 'end of string'")
      requirements.push(this.#requirement())
      if (this.#peek().type === 'end') break
      if (this.#peek().type !== ',') throw this.#unexpected("',' or 'end of string'")
      this.#at++
      if (!isOneOf(this.#peek(true), 'id', '!')) throw this.#unexpected("identifier after ','")
    }
    return requirements
  }

  #requirement(): Requirement {
    const isNegated = this.#peek().type === '!'
    if (isNegated) this.#at++
    const key = this.#identifier('identifier')
    if (isNegated) return (labels) => !Object.hasOwn(labels, key)
    checkKey(key)
    if (isOneOf(this.#peek(), 'end', ',')) return (labels) => Object.hasOwn(labels, key)
    const { type: operator } = this.#peek()
    this.#at++
    if (operator === 'in' || operator === 'notin') return membership(key, this.#values(), operator === 'in')
    if (operator === '=' || operator === '==') return membership(key, [this.#value()], true)
    if (operator === '!=') return membership(key, [this.#value()], false)
    if (operator === '>' || operator === '<') return comparison(key, operator, this.#value())
    this.#at--
    throw this.#unexpected(OPERATORS, 'unable to parse requirement: ')
  }

  #value(): string {
    if (isOneOf(this.#peek(true), 'end', ',')) return ''
    return this.#identifier('identifier')
  }

  #values(): readonly string[] {
    if (this.#peek(true).type !== '(') {
      throw badRequest(`unable to parse requirement: found '${this.#peek().text}' expected: '('`)
    }
    this.#at++
    const values: string[] = []
    let last = ''
    for (let token = this.#next(); token.type !== ')'; token = this.#next()) {
      if (!isOneOf(token, 'id', ',')) {
        throw badRequest(`unable to parse requirement: found '${token.text}', expected: ',', ')' or identifier`)
      }
      if (token.type === 'id') values.push(token.text)
      else if (last !== 'id' || this.#peek(true).type === ')') values.push('')
      last = token.type
    }
    return values.length > 0 ? values : ['']
  }

  #identifier(expected: string): string {
    const token = this.#peek(true)
    if (token.type !== 'id') throw this.#unexpected(expected, 'unable to parse requirement: ')
    this.#at++
    return token.text
  }

  #next(): Token {
    const token = this.#peek(true)
    this.#at++
    return token
  }

  /** Where a value is expected, `in` and `notin` are values. */
  #peek(asValue = false): Token {
    const token = this.#tokens[this.#at] ?? END
    return asValue && isOneOf(token, 'in', 'notin') ? { type: 'id', text: token.text } : token
  }

  #unexpected(expected: string, prefix = ''): Error {
    return badRequest(`${prefix}found '${this.#peek().text}', expected: ${expected}`)
  }
}

function isOneOf({ type }: Token, ...types: readonly string[]): boolean {
  return types.includes(type)
}

function membership(key: string, values: readonly string[], holds: boolean): Requirement {
  for (const value of values) checkValue(key, value)
  const wanted = new Set<string | undefined>(values)
  return (labels) => (Object.hasOwn(labels, key) && wanted.has(labels[key])) === holds
}

function comparison(key: string, operator: '>' | '<', text: string): Requirement {
  if (!/^-?\d+$/.test(text)) {
    const cause = `Invalid value: ${quote(text)}: for 'Gt', 'Lt' operators, the value must be an integer`
    throw badRequest(`unable to parse requirement: values[0]: ${cause}`)
  }
  const bound = Number(text)
  return (labels) => {
    const value = Object.hasOwn(labels, key) ? String(labels[key]) : ''
    if (!/^-?\d+$/.test(value)) return false
    return operator === '>' ? Number(value) > bound : Number(value) < bound
  }
}

function checkKey(key: string): void {
  const problems = checkLabelKey(key)
  if (problems.length === 0) return
  throw badRequest(`unable to parse requirement: <nil>: Invalid value: ${quote(key)}: ${problems.join('; ')}`)
}

function checkValue(key: string, value: string): void {
  const problems = checkLabelValue(value)
  if (problems.length === 0) return
  const where = `values[0][${key}]`
  throw badRequest(`unable to parse requirement: ${where}: Invalid value: ${quote(value)}: ${problems.join('; ')}`)
}
