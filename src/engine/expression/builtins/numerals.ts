import type { Budget } from '../compile/budget.ts'
import { payText } from './cost.ts'

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]
const ROMAN_VALUES: ReadonlyMap<string, number> = new Map(ROMAN.map(([value, numeral]) => [numeral, value]))

/** Roman numerals in lower case; empty for zero. */
export function numberToRoman(value: number, budget: Budget): string {
  payText(budget, Math.floor(value / 1000) + 16)
  let rest = value
  let text = ''
  for (const [worth, numeral] of ROMAN) {
    text += numeral.repeat(Math.floor(rest / worth))
    rest %= worth
  }
  return text
}

/** Of numerals in lower case; NaN for other letters. */
export function romanToNumber(numerals: string): number {
  let total = 0
  let largest = 1
  for (const numeral of [...numerals].reverse()) {
    const value = ROMAN_VALUES.get(numeral) ?? Number.NaN
    if (value < largest) {
      total -= value
    } else {
      largest = value
      total += value
    }
  }
  return total
}

/** Letters as columns of a spreadsheet have them: a … z, aa, ab. `first` is the letter for one. */
export function numberToLetters(value: number, first: string): string {
  const letters: string[] = []
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters.unshift(String.fromCharCode(((rest - 1) % 26) + first.charCodeAt(0)))
  }
  return letters.join('')
}

export function lettersToNumber(letters: string, first: string): number {
  let total = 0
  for (let index = 0; index < letters.length; index++) {
    total += (letters.charCodeAt(letters.length - index - 1) - first.charCodeAt(0) + 1) * 26 ** index
  }
  return total
}
