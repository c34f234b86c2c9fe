import type { Problem } from './diagnostic.ts'

/** Booleans of YAML 1.1 and of kubectl that are text in YAML 1.2. */
const OLD_BOOLEAN = /^(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/
const DATE = /^\d{4}-\d{1,2}-\d{1,2}([Tt \t].*)?$/
const SEXAGESIMAL = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/
/** Everything that one reader or another takes for a number: signs, bases, exponents, `_` between digits. */
const NUMBER =
  /^[-+]?(0[xX][\da-fA-F_]+|0[oO]?[0-7_]+|0[bB][01_]+|\d[\d_]*(\.[\d_]*)?([eE][-+]?\d+)?|\.\d[\d_]*([eE][-+]?\d+)?|\.(inf|Inf|INF))$|^\.(nan|NaN|NAN)$/

/**
 * What is wrong with an unquoted scalar: readers of YAML must agree on what it is, and a number must print as it is written.
 *
 * kubectl reads `0644` as 420, YAML 1.2 as 644; `1.10` becomes 1.1 when it is used as text.
 */
export function plainScalarProblem(text: string): Problem | undefined {
  if (OLD_BOOLEAN.test(text)) return ambiguous('text to some readers of YAML, true or false to others', BOOLEAN_HINT)
  if (DATE.test(text)) return ambiguous('text to some readers of YAML, a date to others')
  if (SEXAGESIMAL.test(text)) return ambiguous('text to some readers of YAML, a number in base 60 to others')
  return NUMBER.test(text) ? numberProblem(text) : undefined
}

const QUOTE = 'put it in quotes'
const BOOLEAN_HINT = `${QUOTE} for text, or write true or false`

function numberProblem(text: string): Problem | undefined {
  const number = Number(text)
  const isInteger = /^[-+]?\d+$/.test(text) || (Number.isInteger(number) && String(number) === text)
  if (isInteger && !Number.isSafeInteger(number)) {
    return { code: 'RB1010', message: 'an integer beyond 2^53, which would lose digits', hint: QUOTE }
  }
  if (String(number) === text && !Object.is(number, -0)) return undefined
  return ambiguous(
    'not the same number to all readers of YAML, or would print differently',
    `${QUOTE}, or write it plainly`,
  )
}

function ambiguous(what: string, hint = QUOTE): Problem {
  return { code: 'RB1009', message: `this unquoted scalar is ${what}`, hint }
}

const OLD_NUMBER = /^[-+]?(0x[\da-f]+|\d+(\.\d*)?|\.\d+)$/i

/** What an unquoted scalar is that has a problem, to PyYAML and other readers of YAML 1.1; a date is text. */
export function oldScalar(text: string): string | number | boolean {
  if (/^(yes|on)$/i.test(text)) return true
  if (/^(no|off)$/i.test(text)) return false
  const digits = text.replaceAll('_', '')
  if (/^[-+]?0[0-7]+$/.test(digits)) return signed(digits, (plain) => Number.parseInt(plain, 8))
  if (/^[-+]?\d/.test(digits) && SEXAGESIMAL.test(text)) return signed(digits, inBase60)
  const number = OLD_NUMBER.test(digits) ? signed(digits, Number) : Number.NaN
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
}

function signed(digits: string, read: (plain: string) => number): number {
  const number = read(digits.replace(/^[-+]/, ''))
  return digits.startsWith('-') ? -number : number
}

function inBase60(digits: string): number {
  return digits.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
}
