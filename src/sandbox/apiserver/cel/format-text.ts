import { goDouble } from '../../../core/schema/go-number.ts'
import { CelRuntimeError } from './cel-error.ts'
import { CLAUSE, readClause, unrecognizedClause } from './format-clause.ts'
import { printDuration, printTimestamp } from './time.ts'
import {
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  typeNameOf,
} from './values.ts'

/** `'%s is %d'.format([a, b])` */
export function formatText(format: string, values: CelList): string {
  let next = 0
  return format.replace(CLAUSE, (clause) => {
    if (clause === '%%') return '%'
    if (next >= values.size) throw failed(`index ${next} out of range`)
    const { problem, verb, precision } = readClause(clause)
    if (problem !== undefined) throw failed(problem)
    return formatClause(verb, values.at(next++), precision)
  })
}

function failed(message: string): CelRuntimeError {
  return new CelRuntimeError(message)
}

function formatClause(verb: string, value: CelValue, precision = 6): string {
  switch (verb) {
    case 's':
      return formatValue(value)
    case 'd':
      return formatInteger(value)
    case 'f':
      return formatDouble(value, 'fixed-point', (number) => roundedToEven(number, precision))
    case 'e':
      return formatDouble(value, 'scientific', scientific)
    case 'b':
      return typeof value === 'boolean'
        ? String(Number(value))
        : integerOf(value, 'only integers and bools can be formatted as binary').toString(2)
    case 'o':
      return integerOf(value, 'octal clause can only be used on integers').toString(8)
    case 'x':
      return formatHex(value)
    case 'X':
      return formatHex(value).toUpperCase()
    default:
      throw failed(unrecognizedClause(verb))
  }
}

function formatInteger(value: CelValue): string {
  return integerOf(value, 'decimal clause can only be used on integers').toString()
}

function integerOf(value: CelValue, allowed: string): bigint {
  if (typeof value === 'bigint') return value
  if (value instanceof CelUint) return value.value
  throw failed(`error during formatting: ${allowed}, was given ${typeNameOf(value)}`)
}

function formatDouble(value: CelValue, clause: string, print: (value: number) => string): string {
  const number = typeof value === 'string' && /^(NaN|-?Infinity)$/.test(value) ? Number(value) : value
  if (typeof number !== 'number') {
    throw failed(
      `error during formatting: ${clause} clause can only be used on doubles, was given ${typeNameOf(value)}`,
    )
  }
  if (Number.isNaN(number)) return 'NaN'
  return Number.isFinite(number) ? print(number) : `${number < 0 ? '-' : ''}∞`
}

/** As Go rounds: what lies exactly between two texts becomes the even one. */
function roundedToEven(value: number, precision: number): string {
  const [whole = '', digits = ''] = value.toFixed(MAX_DIGITS).split('.')
  const isTie = /^50*$/.test(digits.slice(precision))
  const isEven = /[02468]$/.test(whole + digits.slice(0, precision))
  if (!isTie || !isEven) return value.toFixed(precision)
  return precision === 0 ? whole : `${whole}.${digits.slice(0, precision)}`
}

const MAX_DIGITS = 100

/** The real server takes the precision for a width. */
function scientific(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential(6).split('e')
  return `${digits}×10${superscript(exponent)}`
}

function superscript(exponent: string): string {
  const digits = exponent.replace(/^([+-])(\d)$/, '$10$2').replace('+', '')
  return [...digits].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])).join('')
}

function formatHex(value: CelValue): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return integerOf(value, 'only integers, byte buffers, and strings can be formatted as hex').toString(16)
}

/** `%s` */
function formatValue(value: CelValue): string {
  if (value === null) return 'null'
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return goDouble(value)
  if (value instanceof CelUint) return String(value.value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (value instanceof CelTimestamp) return printTimestamp(value.nanos)
  if (value instanceof CelDuration) return printDuration(value.nanos)
  if (value instanceof CelTypeValue) return value.name
  if (value instanceof CelList) return `[${[...value].map(formatMember).join(', ')}]`
  if (value instanceof CelMap && value.typeName === 'map') return formatMap(value)
  const types = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps'
  throw failed(`error during formatting: string clause can only be used on ${types}, was given ${typeNameOf(value)}`)
}

function formatMap(map: CelMap): string {
  const pairs = map.keys().map((key) => [formatMember(key), formatMember(map.get(key) as CelValue)] as const)
  const ordered = pairs.toSorted(([a], [b]) => Number(a > b) - Number(a < b))
  return `{${ordered.map(([key, value]) => `${key}:${value}`).join(', ')}}`
}

/** Inside of lists and maps. */
function formatMember(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString())}`
  if (value instanceof CelTimestamp) return `timestamp("${printTimestamp(value.nanos)}")`
  if (value instanceof CelDuration) return `duration("${printDuration(value.nanos)}")`
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(goDouble(value))
  return formatValue(value)
}
