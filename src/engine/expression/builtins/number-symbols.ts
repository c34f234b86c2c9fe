import type { Value } from '../value.ts'
import { builtinError } from './builtin-error.ts'

/** The characters that mean something in a picture of `$formatNumber`. */
export interface NumberSymbols {
  readonly decimal: string
  readonly grouping: string
  readonly exponent: string
  readonly minus: string
  readonly percent: string
  readonly perMille: string
  readonly digit: string
  readonly pattern: string
  /** The ten digits, from zero. */
  readonly digits: string
}

const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['decimal-separator', '.'],
  ['grouping-separator', ','],
  ['exponent-separator', 'e'],
  ['minus-sign', '-'],
  ['percent', '%'],
  ['per-mille', '\u2030'],
  ['zero-digit', '0'],
  ['digit', '#'],
  ['pattern-separator', ';'],
])

/** The defaults, overridden by `options`. @throws ExpressionError `T0410` when one is not a text, is empty, or is long */
export function readNumberSymbols(options: { readonly [key: string]: Value } | undefined): NumberSymbols {
  const read = (name: string): string => {
    const value = options !== undefined && Object.hasOwn(options, name) ? options[name] : DEFAULTS.get(name)
    if (typeof value !== 'string' || value.length > 16) throw builtinError('T0410')
    if (value === '' && name !== 'minus-sign') throw builtinError('T0410')
    return value
  }
  return {
    decimal: read('decimal-separator'),
    grouping: read('grouping-separator'),
    exponent: read('exponent-separator'),
    minus: read('minus-sign'),
    percent: read('percent'),
    perMille: read('per-mille'),
    digit: read('digit'),
    pattern: read('pattern-separator'),
    digits: digitsFrom(read('zero-digit')),
  }
}

function digitsFrom(zero: string): string {
  const first = zero.charCodeAt(0)
  return Array.from({ length: 10 }, (_, index) => String.fromCharCode(first + index)).join('')
}
