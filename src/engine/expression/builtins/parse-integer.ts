import { builtinError } from './builtin-error.ts'
import { type DigitPicture, type IntegerPicture, isRegular } from './integer-picture.ts'
import { WORD_VALUES, wordsToNumber } from './number-words.ts'
import { lettersToNumber, romanToNumber } from './numerals.ts'

/** Reads what a picture writes; NaN for what it does not. @throws ExpressionError `D3130` */
export function parseInteger(text: string, picture: IntegerPicture): number {
  switch (picture.primary) {
    case 'letters':
      return lettersToNumber(text, picture.case === 'upper' ? 'A' : 'a')
    case 'roman':
      return romanToNumber(picture.case === 'upper' ? upperOnly(text) : text.toLowerCase())
    case 'words':
      return wordsToNumber(text.toLowerCase())
    case 'digits':
      return parseDigits(text, picture)
    default:
      throw builtinError('D3130')
  }
}

/** Upper case numerals in lower case; others made unreadable. */
function upperOnly(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : '?'
}

function parseDigits(text: string, { ordinal, grouping, zero }: DigitPicture): number {
  const separators = new Set(isRegular(grouping) ? [','] : grouping.map(({ character }) => character))
  const digits = [...(ordinal ? text.slice(0, -2) : text)].filter((character) => !separators.has(character)).join('')
  return Number.parseInt(zero === 0x30 ? digits : toAscii(digits, zero), 10)
}

function toAscii(digits: string, zero: number): string {
  return digits.replace(/./gs, (digit) => String.fromCharCode(Math.max(0, digit.charCodeAt(0) - zero + 0x30)))
}

/** What an integer looks like in a text, as a regular expression. `width`: exactly so many digits. */
export function integerPattern(picture: IntegerPicture, width?: number): string {
  switch (picture.primary) {
    case 'letters':
      return picture.case === 'upper' ? '[A-Z]+' : '[a-z]+'
    case 'roman':
      return picture.case === 'upper' ? '[MDCLXVI]+' : '[mdclxvi]+'
    case 'words':
      return `(?:${[...WORD_VALUES.keys(), 'and', '[\\-, ]'].join('|')})+`
    case 'digits':
      return `[0-9]${width ? `{${width}}` : '+'}${picture.ordinal ? '(?:th|st|nd|rd)' : ''}`
    default:
      throw builtinError('D3130')
  }
}
