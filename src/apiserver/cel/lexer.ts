import { CelCompileError } from './cel-error.ts'
import { unescapeText, unescapeToBytes } from './unescape.ts'

export interface Token {
  readonly kind: 'ident' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end'
  /** As it stands in the source. */
  readonly text: string
  readonly position: number
  readonly value?: bigint | number | string | Uint8Array
}

/** Splits an expression into tokens; the last one is the end. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = []
  for (let position = 0; position < source.length; ) {
    const skipped = matchAt(SKIPPED, source, position)
    if (skipped) {
      position += skipped.length
      continue
    }
    const token = readToken(source, position)
    tokens.push(token)
    position += token.text.length
  }
  return [...tokens, { kind: 'end', text: '<EOF>', position: source.length }]
}

const SKIPPED = /[\t\n\f\r ]+|\/\/[^\n]*/y
const TEXT =
  /([bB]?[rR]?|[rR][bB])("""[\s\S]*?(?<!\\)(?:\\\\)*"""|'''[\s\S]*?(?<!\\)(?:\\\\)*'''|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')/y
const RAW_TEXT = /(?:[rR][bB]?|[bB][rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/y
const DOUBLE = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y
const INTEGER = /0x[0-9a-fA-F]+|\d+/y
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y
const SYMBOL = /==|!=|<=|>=|&&|\|\||[<>+\-*/%!?:.,()[\]{}]/y

function matchAt(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(source)?.[0]
}

function readToken(source: string, position: number): Token {
  const quoted = matchAt(RAW_TEXT, source, position) ?? matchAt(TEXT, source, position)
  if (quoted !== undefined) return readText(source, quoted, position)
  const double = matchAt(DOUBLE, source, position)
  if (double !== undefined) return { kind: 'double', text: double, position, value: Number(double) }
  const integer = matchAt(INTEGER, source, position)
  if (integer !== undefined) return readInteger(source, integer, position)
  const ident = matchAt(IDENT, source, position)
  if (ident !== undefined) return { kind: 'ident', text: ident, position }
  const symbol = matchAt(SYMBOL, source, position)
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, position }
  const rest = /^['"]/.test(source.slice(position)) ? source.slice(position) : source.charAt(position)
  throw syntaxError(source, position, `token recognition error at: '${rest}'`)
}

function readText(source: string, text: string, position: number): Token {
  const prefix = (/^[a-zA-Z]*/.exec(text)?.[0] ?? '').toLowerCase()
  const quotes = /^(?:"""|'''|"|')/.exec(text.slice(prefix.length))?.[0].length ?? 1
  const content = text.slice(prefix.length + quotes, -quotes)
  try {
    if (!prefix.includes('b')) {
      return { kind: 'string', text, position, value: prefix === 'r' ? content : unescapeText(content) }
    }
    const value = prefix.includes('r') ? new TextEncoder().encode(content) : unescapeToBytes(content)
    return { kind: 'bytes', text, position, value }
  } catch {
    const message = prefix.includes('b') ? 'invalid bytes literal' : 'invalid string literal'
    throw new CelCompileError(source, [{ position, message }])
  }
}

function readInteger(source: string, digits: string, position: number): Token {
  const unsigned = /[uU]/.test(source.charAt(position + digits.length))
  const text = unsigned ? source.slice(position, position + digits.length + 1) : digits
  return { kind: unsigned ? 'uint' : 'int', text, position, value: BigInt(digits) }
}

export function syntaxError(source: string, position: number, message: string): CelCompileError {
  return new CelCompileError(source, [{ position, message: `Syntax error: ${message}` }])
}
