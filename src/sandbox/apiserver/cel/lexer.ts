import type { CelIssue } from './cel-error.ts'
import { unescapeText, unescapeToBytes } from './unescape.ts'

export interface Token {
  readonly kind: 'ident' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end'
  /** As it stands in the source. */
  readonly text: string
  readonly position: number
  readonly value?: bigint | number | string | Uint8Array
  /** Of a text that cannot be unescaped. */
  readonly problem?: string
}

/** Splits an expression into tokens; the last one is the end. What is no token is reported and left out. */
export function tokenize(source: string): { readonly tokens: readonly Token[]; readonly issues: readonly CelIssue[] } {
  const tokens: Token[] = []
  const issues: CelIssue[] = []
  for (let position = 0; position < source.length; ) {
    const skipped = matchAt(SKIPPED, source, position)
    const token = skipped === undefined ? readToken(source, position) : undefined
    const wrong = skipped === undefined && !token ? unknownAt(source, position) : undefined
    if (token) tokens.push(token)
    if (token?.problem !== undefined) issues.push({ position, message: token.problem })
    if (wrong !== undefined) issues.push({ position, message: `Syntax error: token recognition error at: '${wrong}'` })
    position += (skipped ?? token?.text ?? (wrong as string)).length
  }
  return { tokens: [...tokens, { kind: 'end', text: '<EOF>', position: source.length }], issues }
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`
const SKIPPED = /[\t\n\f\r ]+|\/\/[^\n]*/y
const TEXT = new RegExp(
  `[bB]?(?:"""(?:${ESCAPE}|[^\\\\])*?"""|'''(?:${ESCAPE}|[^\\\\])*?'''|"(?:${ESCAPE}|[^"\\\\\n\r])*"|'(?:${ESCAPE}|[^'\\\\\n\r])*')`,
  'y',
)
const RAW_TEXT = /(?:[bB]?[rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/y
/** What could have become a text. */
const BROKEN_TEXT = new RegExp(
  `[bB]?(?:"(?:${ESCAPE}|[^"\\\\\n\r])*(?:\\\\.?)?|'(?:${ESCAPE}|[^'\\\\\n\r])*(?:\\\\.?)?)`,
  'y',
)
const DOUBLE = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y
const INTEGER = /0x[0-9a-fA-F]+|\d+/y
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y
const SYMBOL = /==|!=|<=|>=|&&|\|\||[<>+\-*/%!?:.,()[\]{}]/y

/** Half an operator, with the character that should have been its other half. */
const HALF = /[=&|](?:[\s\S])?/y

function unknownAt(source: string, position: number): string {
  const broken = matchAt(BROKEN_TEXT, source, position) ?? matchAt(HALF, source, position)
  return broken ?? String.fromCodePoint(source.codePointAt(position) as number)
}

function matchAt(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(source)?.[0]
}

function readToken(source: string, position: number): Token | undefined {
  const quoted = matchAt(RAW_TEXT, source, position) ?? matchAt(TEXT, source, position)
  if (quoted !== undefined) return readText(quoted, position)
  const double = matchAt(DOUBLE, source, position)
  if (double !== undefined) return { kind: 'double', text: double, position, value: Number(double) }
  const integer = matchAt(INTEGER, source, position)
  if (integer !== undefined) return readInteger(source, integer, position)
  const ident = matchAt(IDENT, source, position)
  if (ident !== undefined) return { kind: 'ident', text: ident, position }
  const symbol = matchAt(SYMBOL, source, position)
  return symbol === undefined ? undefined : { kind: 'symbol', text: symbol, position }
}

function readText(text: string, position: number): Token {
  const [, prefix = '', quotes = ''] = /^([a-zA-Z]*)("""|'''|"|')/.exec(text) as RegExpExecArray
  const content = text.slice(prefix.length + quotes.length, -quotes.length)
  const isRaw = /r/i.test(prefix)
  const kind = /b/i.test(prefix) ? 'bytes' : 'string'
  try {
    const asText = isRaw ? content : kind === 'string' ? unescapeText(content) : undefined
    if (kind === 'string') return { kind, text, position, value: asText as string }
    const value = asText === undefined ? unescapeToBytes(content) : new TextEncoder().encode(asText)
    return { kind, text, position, value }
  } catch (error) {
    return { kind, text, position, value: '', problem: (error as Error).message }
  }
}

function readInteger(source: string, digits: string, position: number): Token {
  const unsigned = /[uU]/.test(source.charAt(position + digits.length))
  const text = unsigned ? source.slice(position, position + digits.length + 1) : digits
  return { kind: unsigned ? 'uint' : 'int', text, position, value: BigInt(digits) }
}
