import type { Budget } from '../compile/budget.ts'
import { builtinError } from './builtin-error.ts'
import { payItems, payText } from './cost.ts'
import {
  type DigitPicture,
  type IntegerPicture,
  isRegular,
  type LetterCase,
  type Separator,
} from './integer-picture.ts'
import { numberToWords } from './number-words.ts'
import { numberToLetters, numberToRoman } from './numerals.ts'

/** Writes a whole number as the picture says. @throws ExpressionError `D3130` */
export function formatInteger(value: number, picture: IntegerPicture, budget: Budget): string {
  if (!Number.isFinite(value)) throw builtinError('D1001')
  const text = formatMagnitude(Math.abs(value), picture, budget)
  return value < 0 ? `-${text}` : text
}

function formatMagnitude(value: number, picture: IntegerPicture, budget: Budget): string {
  switch (picture.primary) {
    case 'letters':
      return numberToLetters(value, picture.case === 'upper' ? 'A' : 'a')
    case 'roman':
      return inCase(numberToRoman(value, budget), picture.case)
    case 'words':
      return inCase(numberToWords(value, picture.ordinal), picture.case)
    case 'digits':
      return formatDigits(value, picture, budget)
    default:
      throw builtinError('D3130')
  }
}

function inCase(text: string, letterCase: LetterCase): string {
  if (letterCase === 'title') return text
  return letterCase === 'upper' ? text.toUpperCase() : text.toLowerCase()
}

function formatDigits(value: number, picture: DigitPicture, budget: Budget): string {
  payText(budget, 2 * (picture.mandatoryDigits + 30))
  const digits = inScript(String(BigInt(value)).padStart(picture.mandatoryDigits, '0'), picture.zero)
  const grouped = separate(digits, separatorsFor(digits, picture, budget))
  return picture.ordinal ? grouped + ordinalSuffix(grouped) : grouped
}

function inScript(digits: string, zero: number): string {
  if (zero === 0x30) return digits
  return [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join('')
}

/** From the leftmost; none where it would have no digit before it. */
function separatorsFor(digits: string, { grouping }: DigitPicture, budget: Budget): readonly Separator[] {
  if (!isRegular(grouping)) return grouping.toReversed().filter(({ position }) => position < digits.length)
  const { every, character } = grouping
  const count = Math.floor((digits.length - 1) / every)
  payItems(budget, 4 * count)
  return Array.from({ length: count }, (_, index) => ({ position: (count - index) * every, character }))
}

function separate(digits: string, separators: readonly Separator[]): string {
  let text = ''
  let from = 0
  for (const { position, character } of separators) {
    text += digits.slice(from, digits.length - position) + character
    from = digits.length - position
  }
  return text + digits.slice(from)
}

function ordinalSuffix(digits: string): string {
  const last = digits.slice(-1)
  const isTeen = digits.length > 1 && digits.at(-2) === '1'
  return (
    (isTeen
      ? undefined
      : new Map([
          ['1', 'st'],
          ['2', 'nd'],
          ['3', 'rd'],
        ]).get(last)) ?? 'th'
  )
}
