import { type BuiltinErrorCode, builtinError } from './builtin-error.ts'
import { regularInterval } from './integer-picture.ts'
import type { NumberSymbols } from './number-symbols.ts'

/** One half of a picture of `$formatNumber`, understood (XPath F&O 4.7.4). */
export interface NumberPicture {
  readonly prefix: string
  readonly suffix: string
  /** What the number is multiplied by: 100 for a percent sign. */
  readonly scale: number
  readonly hasDecimalSeparator: boolean
  readonly minimumInteger: number
  readonly minimumFraction: number
  readonly maximumFraction: number
  /** Digits before the decimal separator when there is an exponent. */
  readonly scalingFactor: number
  /** 0: no exponent. */
  readonly minimumExponent: number
  /** How many digits are to the right of each separator, from the left. */
  readonly integerGrouping: readonly number[]
  /** A separator every so many digits, 0: only at `integerGrouping`. */
  readonly regularGrouping: number
  /** How many digits of the fraction are to the left of each separator. */
  readonly fractionGrouping: readonly number[]
}

interface Parts {
  readonly picture: string
  readonly prefix: string
  readonly suffix: string
  readonly active: string
  readonly mantissa: string
  readonly exponent: string | undefined
  readonly integer: string
  readonly fraction: string
}

/** @throws ExpressionError `D3081` to `D3093` */
export function parseNumberPicture(picture: string, symbols: NumberSymbols): NumberPicture {
  const parts = splitParts(picture, symbols)
  const broken = RULES.findLast(([, isBroken]) => isBroken(parts, symbols))
  if (broken !== undefined) throw builtinError(broken[0])
  return { ...sizes(parts, symbols), ...grouping(parts, symbols), ...surroundings(parts, symbols) }
}

function splitParts(picture: string, symbols: NumberSymbols): Parts {
  const marks = picture.split('').map((char) => char !== symbols.exponent && isActive(char, symbols))
  const first = marks.indexOf(true)
  const prefix = first < 0 ? '' : picture.slice(0, first)
  const suffix = first < 0 ? '' : picture.slice(marks.lastIndexOf(true) + 1)
  const active = picture.slice(prefix.length, picture.length - suffix.length)
  const at = picture.indexOf(symbols.exponent, prefix.length)
  const hasExponent = at >= 0 && at <= picture.length - suffix.length
  const mantissa = hasExponent ? active.slice(0, at) : active
  const point = mantissa.indexOf(symbols.decimal)
  return {
    picture,
    prefix,
    suffix,
    active,
    mantissa,
    exponent: hasExponent ? active.slice(at + 1) : undefined,
    integer: point < 0 ? mantissa : mantissa.slice(0, point),
    fraction: point < 0 ? suffix : mantissa.slice(point + 1),
  }
}

function isActive(char: string, symbols: NumberSymbols): boolean {
  const { decimal, exponent, grouping: separator, digit, pattern } = symbols
  return symbols.digits.includes(char) || [decimal, exponent, separator, digit, pattern].includes(char)
}

type Rule = readonly [BuiltinErrorCode, (parts: Parts, symbols: NumberSymbols) => boolean]

/** XPath F&O 4.7.3. Where several are broken, the last counts, as in the library. */
const RULES: readonly Rule[] = [
  ['D3081', ({ picture }, { decimal }) => isTwice(picture, decimal)],
  ['D3082', ({ picture }, { percent }) => isTwice(picture, percent)],
  ['D3083', ({ picture }, { perMille }) => isTwice(picture, perMille)],
  ['D3084', ({ picture }, { percent, perMille }) => picture.includes(percent) && picture.includes(perMille)],
  ['D3085', ({ mantissa }, symbols) => countDigits(mantissa, symbols) + countOptional(mantissa, symbols) === 0],
  ['D3086', ({ active }, symbols) => [...active].some((char) => !isActive(char, symbols))],
  ['D3087', ({ picture }, { decimal, grouping: separator }) => isBeside(picture, decimal, separator)],
  [
    'D3088',
    ({ picture, integer }, { decimal, grouping: separator }) =>
      !picture.includes(decimal) && integer.at(-1) === separator,
  ],
  ['D3089', ({ picture }, { grouping: separator }) => picture.includes(separator + separator)],
  ['D3090', ({ integer }, symbols) => countDigits(before(integer, integer.indexOf(symbols.digit)), symbols) > 0],
  ['D3091', ({ fraction }, symbols) => countDigits(from(fraction, fraction.lastIndexOf(symbols.digit)), symbols) > 0],
  [
    'D3092',
    ({ picture, exponent }, { percent, perMille }) =>
      Boolean(exponent) && (picture.includes(percent) || picture.includes(perMille)),
  ],
  [
    'D3093',
    ({ exponent }, symbols) =>
      exponent !== undefined && (exponent === '' || countDigits(exponent, symbols) < exponent.length),
  ],
]

function isTwice(text: string, part: string): boolean {
  return text.indexOf(part) !== text.lastIndexOf(part)
}

function isBeside(picture: string, decimal: string, separator: string): boolean {
  const at = picture.indexOf(decimal)
  return at >= 0 && (picture.charAt(at - 1) === separator || picture.charAt(at + 1) === separator)
}

function before(text: string, index: number): string {
  return index < 0 ? '' : text.slice(0, index)
}

function from(text: string, index: number): string {
  return index < 0 ? '' : text.slice(index)
}

function countDigits(text: string, { digits }: NumberSymbols): number {
  return count(text, (char) => digits.includes(char))
}

function countOptional(text: string, { digit }: NumberSymbols): number {
  return count(text, (char) => char === digit)
}

function count(text: string, matches: (char: string) => boolean): number {
  let found = 0
  for (let index = 0; index < text.length; index++) if (matches(text.charAt(index))) found += 1
  return found
}

type Sizes = Pick<
  NumberPicture,
  'minimumInteger' | 'minimumFraction' | 'maximumFraction' | 'scalingFactor' | 'minimumExponent'
>

function sizes({ integer, fraction, exponent }: Parts, symbols: NumberSymbols): Sizes {
  const scalingFactor = countDigits(integer, symbols)
  let minimumInteger = scalingFactor
  let minimumFraction = countDigits(fraction, symbols)
  let maximumFraction = minimumFraction + countOptional(fraction, symbols)
  const hasExponent = exponent !== undefined
  if (minimumInteger === 0 && maximumFraction === 0) {
    if (hasExponent) minimumFraction = maximumFraction = 1
    else minimumInteger = 1
  }
  if (hasExponent && minimumInteger === 0 && integer.includes(symbols.digit)) minimumInteger = 1
  if (minimumInteger === 0 && minimumFraction === 0) minimumFraction = 1
  const minimumExponent = countDigits(exponent ?? '', symbols)
  return { minimumInteger, minimumFraction, maximumFraction, scalingFactor, minimumExponent }
}

type Grouping = Pick<NumberPicture, 'integerGrouping' | 'regularGrouping' | 'fractionGrouping'>

/** Of the separators in the fraction only the first counts, as in the library. */
function grouping({ integer, fraction }: Parts, symbols: NumberSymbols): Grouping {
  const integerGrouping = placesRightOfSeparators(integer, symbols)
  const first = fraction.indexOf(symbols.grouping)
  return {
    integerGrouping,
    regularGrouping: regularInterval(integerGrouping),
    fractionGrouping: first < 0 ? [] : [countPlaces(fraction.slice(0, first), symbols)],
  }
}

function countPlaces(text: string, symbols: NumberSymbols): number {
  return countDigits(text, symbols) + countOptional(text, symbols)
}

function placesRightOfSeparators(text: string, symbols: NumberSymbols): number[] {
  const parts = text.split(symbols.grouping)
  let places = 0
  const counts = parts
    .slice(1)
    .reverse()
    .map((part) => {
      places += countPlaces(part, symbols)
      return places
    })
  return counts.reverse()
}

type Surroundings = Pick<NumberPicture, 'prefix' | 'suffix' | 'scale' | 'hasDecimalSeparator'>

function surroundings({ picture, prefix, suffix }: Parts, { percent, perMille, decimal }: NumberSymbols): Surroundings {
  const scale = picture.includes(percent) ? 100 : picture.includes(perMille) ? 1000 : 1
  return { prefix, suffix, scale, hasDecimalSeparator: picture.includes(decimal) }
}
