import { compileRegex, type Regex } from '../base/regex.ts'

type Matcher = (text: string) => boolean

const compiled = new Map<string, Matcher | Error>()
const MAX_COMPILED = 2000

const POSIX_CLASSES: { readonly [name: string]: string } = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

/** Whether a `pattern` of a schema is found in a text. An error for a pattern that cannot be compiled. */
export function matchesPattern(text: string, pattern: string): boolean | Error {
  let matcher = compiled.get(pattern)
  if (matcher === undefined) {
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    matcher = compile(pattern)
    compiled.set(pattern, matcher)
  }
  return matcher instanceof Error ? matcher : matcher(text)
}

/** A regular expression as Go writes it, compiled; an error for one that Go refuses or that cannot be translated. */
export function compileGoPattern(pattern: string): Regex | Error {
  const refused = refusedByGo(pattern)
  if (refused !== undefined) return new Error(`error parsing regexp: ${refused}`)
  try {
    return compileRegex(fromGoSyntax(pattern), '')
  } catch (error) {
    return error as Error
  }
}

function compile(pattern: string): Matcher | Error {
  const refused = refusedByGo(pattern)
  if (refused !== undefined) return new Error(`error parsing regexp: ${refused}`)
  const translated = fromGoSyntax(pattern)
  try {
    const regex = compileRegex(translated, '')
    return (text) => regex.exec(text, 0) !== undefined
  } catch {
    return compileNative(translated)
  }
}

const ESCAPED = 'AzbBdDsSwWpPQEafnrtvx0'

/** What JavaScript understands and Go does not, in Go's words. */
function refusedByGo(pattern: string): string | undefined {
  for (const [text, letter = '', name = ''] of pattern.matchAll(/\\([A-Za-z0-9])|\\.|\(\?<?[=!]|\[:(\w+):\]/gs)) {
    if (letter !== '' && !ESCAPED.includes(letter)) return `invalid escape sequence: \`${text}\``
    if (text.startsWith('(?')) return `invalid or unsupported Perl syntax: \`${text.slice(0, 3)}\``
    if (name !== '' && !Object.hasOwn(POSIX_CLASSES, name)) return `invalid character class range: \`${text}\``
  }
  return undefined
}

/** For what the linear engine does not take, such as `\p{L}`. */
function compileNative(pattern: string): Matcher | Error {
  try {
    const regex = new RegExp(pattern, 'u')
    return (text) => regex.test(text)
  } catch (error) {
    return error as SyntaxError
  }
}

/** What Go writes otherwise than JavaScript: `[[:alpha:]]`, `(?P<name>…)`, `\A`, `\z`. */
function fromGoSyntax(pattern: string): string {
  return pattern
    .replace(/\[:(\w+):\]/g, (_whole, name: string) => POSIX_CLASSES[name] as string)
    .replaceAll('(?P<', '(?<')
    .replace(/\\([\\Az])/g, (whole, letter: string) => (letter === 'A' ? '^' : letter === 'z' ? '$' : whole))
}
