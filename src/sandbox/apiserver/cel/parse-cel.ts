import { CelCompileError, type CelIssue } from './cel-error.ts'
import type { CallExpr, Expr, ListExpr, MapExpr, StructField } from './expr.ts'
import { type Token, tokenize } from './lexer.ts'
import { expandMacro, type MacroOptions } from './macros.ts'
import { CelUint, type CelValue } from './values.ts'

/** Text to syntax tree, macros expanded. Throws CelCompileError. */
export function parseCel(source: string, options: MacroOptions = { bindsNames: false }): Expr {
  return new Parser(source, options).parse()
}

/** By recursive descent; each method reads what its name says, as the grammar of CEL puts it. */
class Parser {
  readonly #source: string
  readonly #options: MacroOptions
  readonly #tokens: readonly Token[]
  readonly #issues: readonly CelIssue[]
  #next = 0
  #depth = 0

  constructor(source: string, options: MacroOptions) {
    this.#source = source
    this.#options = options
    const { tokens, issues } = tokenize(source)
    this.#tokens = tokens
    this.#issues = issues
  }

  parse(): Expr {
    const expr = this.#conditional()
    const rest = this.#peek()
    if (rest.kind === 'end' && this.#issues.length === 0) return expr
    if (rest.kind === 'end') throw new CelCompileError(this.#source, this.#issues)
    const word = this.#tokens[this.#next + 1]?.kind === 'end' ? 'extraneous' : 'mismatched'
    throw this.#unexpected(rest, `${word} input '${rest.text}' expecting <EOF>`)
  }

  #conditional(): Expr {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) {
      const message = `expression recursion limit exceeded: ${MAX_DEPTH}`
      throw new CelCompileError(this.#source, [{ position: 0, message }])
    }
    const condition = this.#binary(0)
    const expr = this.#accept('?') ? this.#branches(condition) : condition
    this.#depth -= 1
    return expr
  }

  #branches(condition: Expr): Expr {
    const { position } = this.#last()
    const yes = this.#binary(0)
    this.#expect(':')
    return { kind: 'call', name: '_?_:_', args: [condition, yes, this.#conditional()], position }
  }

  #binary(level: number): Expr {
    const operators = LEVELS[level]
    if (!operators) return this.#unary()
    let left = this.#binary(level + 1)
    for (let token = this.#peek(); operators.includes(token.text) && isOperator(token); token = this.#peek()) {
      this.#next += 1
      const args = [left, this.#binary(level + 1)]
      left = { kind: 'call', name: token.text === 'in' ? '@in' : `_${token.text}_`, args, position: token.position }
    }
    return left
  }

  #unary(): Expr {
    const token = this.#peek()
    if (token.kind !== 'symbol' || (token.text !== '!' && token.text !== '-')) return this.#member()
    const following = this.#tokens[this.#next + 1]
    if (token.text === '-' && (following?.kind === 'int' || following?.kind === 'double')) return this.#member()
    let count = 0
    while (this.#accept(token.text)) count += 1
    const operand = this.#member()
    if (count % 2 === 0) return operand
    return { kind: 'call', name: `${token.text}_`, args: [operand], position: token.position }
  }

  #member(): Expr {
    let expr = this.#primary()
    for (;;) {
      if (this.#accept('.')) expr = this.#selection(expr)
      else if (this.#accept('[')) expr = this.#index(expr)
      else {
        const typeName = qualifiedName(expr)
        if (typeName === undefined || this.#peek().text !== '{' || this.#peek().kind !== 'symbol') return expr
        expr = this.#struct(typeName)
      }
    }
  }

  #selection(operand: Expr): Expr {
    const { position } = this.#last()
    const optional = this.#accept('?')
    const name = this.#ident()
    if (optional) {
      const field: Expr = { kind: 'literal', value: name.text, position: name.position }
      return { kind: 'call', name: '_?._', args: [operand, field], position }
    }
    if (!this.#accept('(')) return { kind: 'select', operand, field: name.text, test: false, position }
    const open = this.#last().position
    return this.#call({ kind: 'call', name: name.text, target: operand, args: this.#arguments(')'), position: open })
  }

  #index(operand: Expr): Expr {
    const { position } = this.#last()
    const name = this.#accept('?') ? '_[?_]' : '_[_]'
    const index = this.#conditional()
    this.#expect(']')
    return { kind: 'call', name, args: [operand, index], position }
  }

  #struct(typeName: string): Expr {
    const { position } = this.#peek()
    this.#next += 1
    const fields: StructField[] = []
    while (!this.#accept('}')) {
      const optional = this.#accept('?')
      const name = this.#ident()
      this.#expect(':')
      const colon = this.#last().position
      fields.push({ name: name.text, value: this.#conditional(), optional, position: colon })
      this.#separator('}')
    }
    return { kind: 'struct', typeName, fields, position }
  }

  #primary(): Expr {
    const token = this.#peek()
    this.#next += 1
    if (token.kind === 'ident') return this.#identOrCall(token, token.text)
    if (token.kind === 'symbol') return this.#bracketed(token)
    if (token.kind !== 'end') return this.#literal(token)
    throw this.#unexpected(token, `mismatched input '<EOF>' expecting ${PRIMARY}`)
  }

  #bracketed(token: Token): Expr {
    const { position } = token
    if (token.text === '(') {
      const expr = this.#conditional()
      this.#expect(')')
      return expr
    }
    if (token.text === '[') return this.#list(position)
    if (token.text === '{') return this.#map(position)
    if (token.text === '-') return this.#literal(this.#tokens[this.#next++] as Token, '-', position)
    if (token.text === '.' && this.#peek().kind === 'ident') {
      const name = this.#ident()
      return this.#identOrCall(name, `.${name.text}`)
    }
    throw this.#unexpected(token, `mismatched input '${token.text}' expecting ${PRIMARY}`)
  }

  #identOrCall(token: Token, name: string): Expr {
    const { position } = token
    const constant = CONSTANTS.get(name)
    if (constant !== undefined) return { kind: 'literal', value: constant, position }
    if (this.#accept('(')) {
      const open = this.#last().position
      return this.#call({ kind: 'call', name, args: this.#arguments(')'), position: open })
    }
    if (RESERVED.has(name)) {
      throw new CelCompileError(this.#source, [{ position, message: `reserved identifier: ${name}` }])
    }
    return { kind: 'ident', name, position }
  }

  #call(call: CallExpr): Expr {
    const refuse = (position: number, message: string) => new CelCompileError(this.#source, [{ position, message }])
    return expandMacro(call, refuse, this.#options)
  }

  #arguments(close: string): readonly Expr[] {
    const args: Expr[] = []
    if (this.#accept(close)) return args
    do args.push(this.#conditional())
    while (this.#accept(','))
    this.#expect(close)
    return args
  }

  #list(position: number): ListExpr {
    const items: { value: Expr; optional: boolean }[] = []
    while (!this.#accept(']')) {
      const optional = this.#accept('?')
      items.push({ value: this.#conditional(), optional })
      this.#separator(']')
    }
    return { kind: 'list', items, position }
  }

  #map(position: number): MapExpr {
    const entries: { key: Expr; value: Expr; optional: boolean }[] = []
    while (!this.#accept('}')) {
      const optional = this.#accept('?')
      const key = this.#conditional()
      this.#expect(':')
      entries.push({ key, value: this.#conditional(), optional })
      this.#separator('}')
    }
    return { kind: 'map', entries, position }
  }

  #literal(token: Token, sign = '', position = token.position): Expr {
    return { kind: 'literal', value: this.#literalValue({ ...token, position }, sign), position }
  }

  #literalValue({ kind, value, position }: Token, sign: string): CelValue {
    if (kind === 'double') return sign === '-' ? -Number(value) : Number(value)
    if (kind !== 'int' && kind !== 'uint') return value as CelValue
    const number = sign === '-' ? -(value as bigint) : (value as bigint)
    const [low, high] = kind === 'int' ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n]
    if (number < low || number > high) {
      throw new CelCompileError(this.#source, [{ position, message: `invalid ${kind} literal` }])
    }
    return kind === 'uint' ? new CelUint(number) : number
  }

  #ident(): Token {
    const token = this.#peek()
    if (token.kind !== 'ident' || CONSTANTS.has(token.text) || token.text === 'in') {
      const isKeyword = CONSTANTS.has(token.text) || token.text === 'in'
      const wrong = isKeyword ? `mismatched input '${token.text}' expecting IDENTIFIER` : undefined
      throw this.#unexpected(
        token,
        wrong ?? `no viable alternative at input '.${token.kind === 'end' ? '' : token.text}'`,
      )
    }
    this.#next += 1
    return token
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token
  }

  #last(): Token {
    return this.#tokens[this.#next - 1] as Token
  }

  #accept(text: string): boolean {
    const token = this.#peek()
    const found = token.kind === 'symbol' && token.text === text
    if (found) this.#next += 1
    return found
  }

  #expect(text: string): void {
    if (this.#accept(text)) return
    const token = this.#peek()
    throw this.#unexpected(token, `missing '${text}' at '${token.text}'`)
  }

  /** A comma, which may also stand before the end. */
  #separator(close: string): void {
    const token = this.#peek()
    if (this.#accept(',') || token.text === close) return
    const following = this.#tokens[this.#next + 1]?.text
    const word = following === close || following === ',' ? 'extraneous' : 'mismatched'
    throw this.#unexpected(token, `${word} input '${token.text}' expecting {'${close}', ','}`)
  }

  #unexpected({ position }: Token, message: string): CelCompileError {
    const issue = { position, message: `Syntax error: ${message}` }
    return new CelCompileError(this.#source, [...this.#issues, issue])
  }
}

/** `a.b.c` of names alone; undefined for anything else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.test) return undefined
  const prefix = qualifiedName(expr.operand)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}

function isOperator({ kind, text }: Token): boolean {
  return kind === 'symbol' || text === 'in'
}

const MAX_DEPTH = 250
const LEVELS = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']]

const CONSTANTS = new Map<string, CelValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const PRIMARY =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

const RESERVED = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package'],
  ...['namespace', 'return', 'var', 'void', 'while'],
])
