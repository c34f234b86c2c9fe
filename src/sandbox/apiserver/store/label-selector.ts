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

  /** The parser of the real server is lenient with commas, and with nothing else. */
  #values(): readonly string[] {
    const { type } = this.#peek(true)
    if (type !== '(') throw refuseRequirement(`found '${this.#peek().text}' expected: '('`)
    this.#at++
    const first = this.#peek(true)
    if (!isOneOf(first, 'id', ',', ')')) {
      throw refuseRequirement(`found '${first.text}', expected: ',', ')' or identifier`)
    }
    const values = first.type === ')' ? [''] : this.#valueList()
    this.#at++
    return values
  }

  /** Up to the closing parenthesis. */
  #valueList(): readonly string[] {
    const values: string[] = []
    for (;;) {
      const token = this.#next()
      const next = this.#peek(true)
      if (token.type === 'id') {
        values.push(token.text)
        if (!isOneOf(next, ',', ')')) throw refuseRequirement(`found '${next.text}', expected: ',' or ')'`)
      } else if (token.type === ',') {
        if (values.length === 0 || isOneOf(next, ')', ',')) values.push('')
        if (next.type === ',') this.#at++
      } else throw refuseRequirement(`found '${token.text}', expected: ',', or identifier`)
      if (this.#peek(true).type === ')') return values
    }
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
  for (const [index, value] of [...new Set(values)].sort().entries()) checkValue(key, value, index)
  const wanted = new Set<string | undefined>(values)
  return (labels) => (Object.hasOwn(labels, key) && wanted.has(labels[key])) === holds
}

function comparison(key: string, operator: '>' | '<', text: string): Requirement {
  const bound = integerOf(text)
  if (bound === undefined) {
    const cause = `Invalid value: ${quote(text)}: for 'Gt', 'Lt' operators, the value must be an integer`
    throw refuseRequirement(`values[0]: ${cause}`)
  }
  checkValue(key, text, 0)
  return (labels) => {
    const value = Object.hasOwn(labels, key) ? integerOf(String(labels[key])) : undefined
    if (value === undefined) return false
    return operator === '>' ? value > bound : value < bound
  }
}

/** Of 64 bits. */
function integerOf(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function refuseRequirement(cause: string): Error {
  return badRequest(`unable to parse requirement: ${cause}`)
}

function checkKey(key: string): void {
  const problems = checkLabelKey(key)
  if (problems.length === 0) return
  throw refuseRequirement(`<nil>: Invalid value: ${quote(key)}: ${problems.join('; ')}`)
}

function checkValue(key: string, value: string, index: number): void {
  const problems = checkLabelValue(value)
  if (problems.length === 0) return
  throw refuseRequirement(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${problems.join('; ')}`)
}
