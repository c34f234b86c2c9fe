import { CodedError } from './coded-error.ts'

/**
 * A JavaScript regular expression (no `u` flag) in the syntax of RE2, meaning the same.
 *
 * The source must be one that JavaScript accepts. Characters are written as `\x{…}` wherever RE2 could read something else
 * into them.
 *
 * @throws CodedError `RegexNotSupported`
 */
export function toRe2Syntax(source: string): string {
  const scanner: Scanner = { source, at: 0 }
  let out = ''
  while (scanner.at < source.length) out += translateNext(scanner)
  return out
}

interface Scanner {
  readonly source: string
  at: number
}

const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
/** What stands for a set of characters inside a class. */
const SETS: Readonly<Record<string, string>> = {
  d: '\\d',
  D: '\\D',
  w: '\\w',
  W: '\\W',
  s: SPACE,
  S: NOT_SPACE,
}
const NEVER = '[^\\x{0}-\\x{10ffff}]'
const ANYTHING = '[\\x{0}-\\x{10ffff}]'
const DOT = '[^\\n\\r\\x{2028}\\x{2029}]'
const CONTROLS: Readonly<Record<string, number>> = {
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
}

function translateNext(scanner: Scanner): string {
  const char = scanner.source[scanner.at] as string
  if (char === '\\') return translateEscape(scanner)
  if (char === '[') return translateClass(scanner)
  if (char === '(') return translateGroup(scanner)
  if (char === '{') return take(scanner, /\{\d+(,\d*)?\}/y) ?? literal(takeChar(scanner))
  if (char === '.') {
    scanner.at += 1
    return DOT
  }
  const point = takeChar(scanner)
  return '}]'.includes(char) ? literal(point) : String.fromCodePoint(point)
}

function translateGroup(scanner: Scanner): string {
  const opening = take(scanner, /\(\?(?:<?[=!]|<[^>]*>|[^:]*:)|\(/y) as string
  if (opening === '(' || opening === '(?:') return opening
  if (/^\(\?<?[=!]/.test(opening)) throw notSupported(scanner, `lookaround ${opening}…)`)
  if (opening.startsWith('(?<')) return '('
  throw notSupported(scanner, `the group ${opening}…)`)
}

function translateEscape(scanner: Scanner): string {
  const char = scanner.source.charAt(scanner.at + 1)
  if ('bB'.includes(char) || Object.hasOwn(SETS, char)) {
    scanner.at += 2
    if (char === 's' || char === 'S') return `[${SETS[char]}]`
    return `\\${char}`
  }
  return literal(takeEscapedChar(scanner))
}

function translateClass(scanner: Scanner): string {
  const opening = take(scanner, /\[\^?/y) as string
  let out = ''
  while (scanner.source[scanner.at] !== ']') out += translateClassItem(scanner)
  scanner.at += 1
  if (out === '') return opening === '[' ? NEVER : ANYTHING
  return `${opening}${out}]`
}

function translateClassItem(scanner: Scanner): string {
  const first = takeClassAtom(scanner)
  if (take(scanner, /-(?!\])/y) === undefined) return printAtom(first)
  const last = takeClassAtom(scanner)
  if (typeof first === 'number' && typeof last === 'number') return `${literal(first)}-${literal(last)}`
  return `${printAtom(first)}${literal(0x2d)}${printAtom(last)}`
}

function printAtom(atom: number | string): string {
  return typeof atom === 'number' ? literal(atom) : atom
}

/** One character, as its code point, or a set such as `\d`, as RE2 writes it. */
function takeClassAtom(scanner: Scanner): number | string {
  if (scanner.source[scanner.at] !== '\\') return takeChar(scanner)
  const char = scanner.source.charAt(scanner.at + 1)
  if (char !== 'b' && !Object.hasOwn(SETS, char)) return takeEscapedChar(scanner)
  scanner.at += 2
  return char === 'b' ? 8 : (SETS[char] as string)
}

function takeEscapedChar(scanner: Scanner): number {
  const hex = take(scanner, /\\x[\da-f]{2}/iy) ?? take(scanner, /\\u[\da-f]{4}/iy)
  if (hex !== undefined) return joinSurrogates(scanner, Number.parseInt(hex.slice(2), 16))
  const control = take(scanner, /\\c[a-z]/iy)
  if (control !== undefined) return control.charCodeAt(2) % 32
  if (take(scanner, /\\0(?!\d)/y) !== undefined) return 0
  const refused = take(scanner, /\\(?:\d+|k<[^>]*>)/y)
  if (refused !== undefined) throw notSupported(scanner, `the backreference ${refused}`)
  const unknown = take(scanner, /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|c)/y)
  if (unknown !== undefined) throw notSupported(scanner, unknown)
  scanner.at += 1
  const point = takeChar(scanner)
  return CONTROLS[String.fromCodePoint(point)] ?? point
}

function joinSurrogates(scanner: Scanner, unit: number): number {
  if (unit < 0xd800 || unit > 0xdbff) return unit
  const low = take(scanner, /\\u[dD][c-fC-F][\da-fA-F]{2}/y)
  if (low === undefined) return unit
  return ((unit - 0xd800) << 10) + (Number.parseInt(low.slice(2), 16) - 0xdc00) + 0x10000
}

/** What matches a sticky pattern here, moving past it. */
function take(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.at
  const found = pattern.exec(scanner.source)?.[0]
  scanner.at += found?.length ?? 0
  return found
}

function takeChar(scanner: Scanner): number {
  const point = scanner.source.codePointAt(scanner.at)
  if (point === undefined) throw notSupported(scanner, 'its end')
  scanner.at += point > 0xffff ? 2 : 1
  return point
}

function literal(point: number): string {
  const char = String.fromCodePoint(point)
  return /[\w ]/.test(char) ? char : `\\x{${point.toString(16)}}`
}

function notSupported({ source }: Scanner, what: string): CodedError {
  return new CodedError('RegexNotSupported', `the regular expression /${source}/ uses ${what}, which is not supported`)
}
