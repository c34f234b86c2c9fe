import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { mapFields } from './fields.ts'

/** A resource amount: exact, in billionths, with the notation it prints in. */
interface Quantity {
  readonly nanos: bigint
  readonly notation: 'binary' | 'decimal' | 'exponent'
  /** The text itself, if the server takes it for canonical and keeps it: `+3`, `1E3`. */
  readonly text?: string | undefined
}

const NANO = 1_000_000_000n
/** What is longer is no amount of anything, and slow to reckon with. */
const LONGEST = 100
const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,4}|)$/
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}

/** What the server writes for an amount: `1000m` is `1`, `0.5Gi` is `512Mi`. Nothing for what is no amount. */
export function canonicalQuantity(value: JsonValue): string | undefined {
  const quantity = parseQuantity(value)
  return quantity && printQuantity(quantity)
}

/** Every amount of a map such as `limits`, rounded up to thousandths as the server does there. */
export function canonicalResources(list: JsonObject): JsonObject {
  const entries = Object.entries(list).map(([name, value]) => [name, roundedToMilli(value)] as const)
  return entries.every(([name, value]) => value === list[name]) ? list : Object.fromEntries(entries)
}

/** `limits` and `requests` of an object. */
export function canonicalRequirements(requirements: JsonObject): JsonObject {
  return mapFields(requirements, { limits: canonicalResources, requests: canonicalResources })
}

/** Less than 0, 0, or more, as left is less than, equal to or more than right. */
export function compareQuantities(left: JsonValue | undefined, right: JsonValue | undefined): number {
  const difference = nanosOf(left) - nanosOf(right)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/** The amount in billionths; 0 for what is no amount. */
export function nanosOf(value: JsonValue | undefined): bigint {
  return parseQuantity(value)?.nanos ?? 0n
}

/** The whole part of an amount. */
export function wholeOf(value: JsonValue): number {
  return Number(nanosOf(value) / NANO)
}

export function isWholeQuantity(value: JsonValue): boolean {
  return nanosOf(value) % NANO === 0n
}

/** How many amounts are kept read; most objects have the same few. */
const CAPACITY = 1000
const known = new Map<string, Quantity | undefined>()

function parseQuantity(value: JsonValue | undefined): Quantity | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  if (text.length > LONGEST) return undefined
  if (!known.has(text)) {
    if (known.size === CAPACITY) known.clear()
    known.set(text, parseText(text))
  }
  return known.get(text)
}

function parseText(text: string): Quantity | undefined {
  const match = SYNTAX.exec(text)
  const [, sign, whole = '', fraction = '', suffix = ''] = match ?? []
  if (!match || (whole === '' && fraction === '')) return undefined
  const digits = `${whole.replace(/^0+/, '') || '0'}${fraction}`
  const { factor, exponent, notation } = scaleOf(suffix)
  const scale = exponent - fraction.length
  const raised = BigInt(digits) * factor * (scale > -9 ? 10n ** BigInt(scale + 9) : 1n)
  const nanos = scale < -9 ? divideUp(raised, 10n ** BigInt(-scale - 9)) : raised
  const isKept = notation === 'binary' ? isBinaryText(digits, fraction, suffix) : isDecimalText(digits, scale)
  return { nanos: sign === '-' ? -nanos : nanos, notation, text: isKept ? text : undefined }
}

function isDecimalText(digits: string, scale: number): boolean {
  if (digits.length > 18 || scale < -9 || scale % 3 !== 0) return false
  return !digits.endsWith('000') && !digits.startsWith('0')
}

function isBinaryText(digits: string, fraction: string, suffix: string): boolean {
  const bits = (BINARY.indexOf(suffix) + 1) * 10
  const precision = 14 - digits.length - Math.floor((bits * 3) / 10)
  return fraction === '' && precision >= 0 && BigInt(digits) % 8n !== 0n
}

function scaleOf(suffix: string): { factor: bigint; exponent: number; notation: Quantity['notation'] } {
  const binary = BINARY.indexOf(suffix)
  if (binary >= 0) return { factor: 1024n ** BigInt(binary + 1), exponent: 0, notation: 'binary' }
  const decimal = DECIMAL[suffix]
  if (decimal !== undefined) return { factor: 1n, exponent: decimal, notation: 'decimal' }
  return { factor: 1n, exponent: Number(suffix.slice(1)), notation: 'exponent' }
}

function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}

function roundedToMilli(value: JsonValue | undefined): string | undefined {
  const quantity = parseQuantity(value)
  return quantity && printQuantity(awayFromZero(quantity))
}

/** The quantity itself if it needs no rounding. */
function awayFromZero(quantity: Quantity): Quantity {
  const { nanos, notation } = quantity
  const milli = NANO / 1000n
  if (nanos % milli === 0n) return quantity
  const size = divideUp(nanos < 0n ? -nanos : nanos, milli) * milli
  return { notation, nanos: nanos < 0n ? -size : size }
}

function printQuantity({ nanos, notation, text }: Quantity): string {
  if (text !== undefined) return text
  if (nanos === 0n) return '0'
  const sign = nanos < 0n ? '-' : ''
  const size = nanos < 0n ? -nanos : nanos
  const isBinary = notation === 'binary' && size >= 1024n * NANO && size % NANO === 0n
  return sign + (isBinary ? printBinary(size / NANO) : printDecimal(size, notation === 'exponent'))
}

function printBinary(size: bigint): string {
  let amount = size
  let step = 0
  while (amount % 1024n === 0n && step < BINARY.length) {
    amount /= 1024n
    step++
  }
  return `${amount}${step === 0 ? '' : BINARY[step - 1]}`
}

/** The largest suffix that leaves a whole number. */
function printDecimal(size: bigint, asExponent: boolean): string {
  let amount = size
  let exponent = -9
  while (amount % 1000n === 0n && exponent < 18) {
    amount /= 1000n
    exponent += 3
  }
  if (asExponent) return exponent === 0 ? `${amount}` : `${amount}e${exponent}`
  const suffix = Object.keys(DECIMAL).find((each) => DECIMAL[each] === exponent)
  return `${amount}${suffix}`
}
