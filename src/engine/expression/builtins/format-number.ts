import type { Budget } from '../compile/budget.ts'
import type { Value } from '../value.ts'
import { requiredText } from './arguments.ts'
import type { Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'
import { payItems, payText } from './cost.ts'
import { type NumberPicture, parseNumberPicture } from './number-picture.ts'
import { type NumberSymbols, readNumberSymbols } from './number-symbols.ts'
import { roundHalfEven } from './round.ts'

/** `$formatNumber(value, picture, options)`, as XPath's `fn:format-number`. */
export function formatNumber(value: number, { budget }: Call, args: readonly Value[]): string {
  const picture = requiredText(args, 1)
  if (!Number.isFinite(value)) throw builtinError('D1001')
  payItems(budget, 4 * picture.length + 100)
  const symbols = readNumberSymbols(args[2] as { readonly [key: string]: Value } | undefined)
  const [positive, negative, ...others] = picture
    .split(symbols.pattern)
    .map((part) => () => parseNumberPicture(part, symbols))
  if (others.length > 0) throw builtinError('D3080')
  const first = positive?.() as NumberPicture
  const second = negative?.() ?? { ...first, prefix: symbols.minus + first.prefix }
  return write(value, { picture: value >= 0 ? first : second, symbols, budget })
}

interface Layout {
  readonly picture: NumberPicture
  readonly symbols: NumberSymbols
  readonly budget: Budget
}

function write(value: number, layout: Layout): string {
  const { picture, symbols, budget } = layout
  if (picture.maximumFraction > 100) throw builtinError('T0410')
  payItems(budget, 4 * (picture.minimumInteger + picture.minimumFraction + 32))
  const { mantissa, exponent } = scale(Math.abs(value * picture.scale), picture)
  const rounded = roundHalfEven(mantissa, picture.maximumFraction)
  const number = writeMantissa(rounded, layout) + writeExponent(exponent, layout)
  payText(budget, number.length)
  return picture.prefix + inScript(number, symbols) + picture.suffix
}

interface Scaled {
  readonly mantissa: number
  readonly exponent: number | undefined
}

/** mantissa × 10^exponent, the mantissa with as many digits before the point as the picture has. */
function scale(value: number, { minimumExponent, scalingFactor }: NumberPicture): Scaled {
  if (minimumExponent === 0) return { mantissa: value, exponent: undefined }
  let mantissa = value
  let exponent = 0
  if (value === 0) return { mantissa, exponent }
  for (; mantissa < 10 ** (scalingFactor - 1); exponent -= 1) mantissa *= 10
  for (; mantissa > 10 ** scalingFactor && Number.isFinite(mantissa); exponent += 1) mantissa /= 10
  return { mantissa, exponent }
}

function writeMantissa(value: number, { picture, symbols }: Layout): string {
  const [whole = '', part = ''] = printPlain(value, picture.maximumFraction).split('.')
  const integer = whole.replace(/^0+/, '').padStart(picture.minimumInteger, '0')
  const fraction = part.replace(/0+$/, '').padEnd(picture.minimumFraction, '0')
  const grouped = groupInteger(integer, picture, symbols.grouping)
  if (!picture.hasDecimalSeparator || fraction === '') return grouped
  return grouped + symbols.decimal + groupFraction(fraction, picture, symbols.grouping)
}

/** Never with an exponent. */
function printPlain(value: number, decimals: number): string {
  return value < 1e21 ? value.toFixed(decimals) : String(BigInt(value))
}

function groupInteger(
  digits: string,
  { regularGrouping: every, integerGrouping }: NumberPicture,
  separator: string,
): string {
  if (every > 0) {
    const head = digits.length % every || every
    const groups = [digits.slice(0, head)]
    for (let at = head; at < digits.length; at += every) groups.push(digits.slice(at, at + every))
    return groups.join(separator)
  }
  const cuts = integerGrouping.map((position) => digits.length - position)
  return cutAt(
    digits,
    cuts.filter((cut) => cut > 0),
  ).join(separator)
}

function groupFraction(digits: string, { fractionGrouping }: NumberPicture, separator: string): string {
  return cutAt(
    digits,
    fractionGrouping.filter((cut) => cut < digits.length),
  ).join(separator)
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  return [0, ...cuts].map((cut, index) => text.slice(cut, cuts[index]))
}

function writeExponent(exponent: number | undefined, { picture, symbols }: Layout): string {
  if (exponent === undefined) return ''
  const digits = String(Math.abs(exponent)).padStart(picture.minimumExponent, '0')
  return symbols.exponent + (exponent < 0 ? symbols.minus : '') + digits
}

function inScript(text: string, { digits }: NumberSymbols): string {
  return digits.startsWith('0') ? text : text.replace(/[0-9]/g, (digit) => digits.charAt(Number(digit)))
}
