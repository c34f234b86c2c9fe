import { builtinError } from './builtin-error.ts'

/** How an integer is written, as XPath's `fn:format-integer` describes it. */
export type IntegerPicture = WordPicture | DigitPicture | SequencePicture

export type LetterCase = 'upper' | 'lower' | 'title'

interface WordPicture {
  readonly primary: 'letters' | 'roman' | 'words'
  readonly case: LetterCase
  readonly ordinal: boolean
}

export interface DigitPicture {
  readonly primary: 'digits'
  readonly ordinal: boolean
  /** Code point of the zero of its digits. */
  readonly zero: number
  readonly mandatoryDigits: number
  readonly optionalDigits: number
  /** One separator every so many digits, or each at its own place, from the right. */
  readonly grouping: RegularGrouping | readonly Separator[]
}

/** An unknown way of counting. It is an error only when it is used. */
interface SequencePicture {
  readonly primary: 'sequence'
  readonly ordinal: boolean
}

export interface Separator {
  /** How many digits are to the right of it. */
  readonly position: number
  readonly character: string
}

export interface RegularGrouping {
  readonly every: number
  readonly character: string
}

export function isRegular(grouping: DigitPicture['grouping']): grouping is RegularGrouping {
  return !Array.isArray(grouping)
}

const WORDS: Readonly<Record<string, Omit<WordPicture, 'ordinal'>>> = {
  A: { primary: 'letters', case: 'upper' },
  a: { primary: 'letters', case: 'lower' },
  I: { primary: 'roman', case: 'upper' },
  i: { primary: 'roman', case: 'lower' },
  W: { primary: 'words', case: 'upper' },
  w: { primary: 'words', case: 'lower' },
  Ww: { primary: 'words', case: 'title' },
}

/** @throws ExpressionError `D3131` */
export function parseIntegerPicture(picture: string): IntegerPicture {
  const semicolon = picture.lastIndexOf(';')
  const primary = semicolon < 0 ? picture : picture.slice(0, semicolon)
  const ordinal = semicolon >= 0 && picture[semicolon + 1] === 'o'
  if (Object.hasOwn(WORDS, primary)) return { ...(WORDS[primary] as WordPicture), ordinal }
  return parseDigits(primary, ordinal)
}

function parseDigits(primary: string, ordinal: boolean): IntegerPicture {
  const separators: Separator[] = []
  const zeros = new Set<number>()
  let [mandatoryDigits, optionalDigits] = [0, 0]
  for (const character of [...primary].reverse()) {
    const zero = zeroOf(character)
    if (zero !== undefined) {
      zeros.add(zero)
      mandatoryDigits += 1
    } else if (character === '#') {
      optionalDigits += 1
    } else {
      separators.push({ position: mandatoryDigits + optionalDigits, character })
    }
  }
  const [zero] = zeros
  if (zero === undefined) return { primary: 'sequence', ordinal }
  if (zeros.size > 1) throw builtinError('D3131')
  return { primary: 'digits', ordinal, zero, mandatoryDigits, optionalDigits, grouping: groupingOf(separators) }
}

/** Where the digits of each script start. */
const ZEROS = [
  0x30, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
]

function zeroOf(character: string): number | undefined {
  const point = character.codePointAt(0) as number
  return ZEROS.find((zero) => point >= zero && point <= zero + 9)
}

function groupingOf(separators: readonly Separator[]): DigitPicture['grouping'] {
  const [first] = separators
  if (first === undefined || separators.some(({ character }) => character !== first.character)) return separators
  const every = regularInterval(separators.map(({ position }) => position))
  return every === 0 ? separators : { every, character: first.character }
}

/** The distance between positions, when they are its multiples without a gap; else 0. */
export function regularInterval(positions: readonly number[]): number {
  if (positions.length === 0) return 0
  const factor = positions.reduce(greatestCommonDivisor)
  const present = new Set(positions)
  return positions.every((_, index) => present.has((index + 1) * factor)) ? factor : 0
}

function greatestCommonDivisor(left: number, right: number): number {
  let [a, b] = [left, right]
  while (b !== 0) [a, b] = [b, a % b]
  return a
}
