import { builtinError } from '../builtin-error.ts'

type Components = ReadonlyMap<string, number>

/**
 * The point in time that the parts of a date add up to.
 *
 * What is missing on the right is its least value; what is missing on the left, or in the middle, makes it an error. (The
 * library takes the left from the clock; our results depend on inputs only.)
 *
 * @throws ExpressionError `D3136`
 */
export function composeTime(components: Components): number {
  const date = dateComponents(components)
  const time = timeComponents(components)
  const filled = fill(components, [...date, ...time])
  if (date.includes('X')) throw builtinError('D3136')
  const { month, day } = monthAndDay(filled, date)
  const hour = time.startsWith('P') ? hourOfDay(filled) : get(filled, 'H')
  const year = get(filled, 'Y')
  const millis = Date.UTC(year, month, day, hour, get(filled, 'm'), get(filled, 's'), get(filled, 'f'))
  if (Number.isNaN(millis)) throw builtinError('D3136')
  return millis - (components.get('Z') || components.get('z') || 0) * 60_000
}

/** The ways to give a date, by which letters belong to them, and those to be filled in from the left. */
const DATE_FORMS = [
  { letters: 'YMD', fill: 'YMD' },
  { letters: 'Yd', fill: 'YD' },
  { letters: 'Xxw', fill: 'XxwF' },
  { letters: 'XW', fill: 'XWF' },
]
const TIME_FORMS = [
  { letters: 'Hmsf', fill: 'Hmsf' },
  { letters: 'Phmsf', fill: 'Phmsf' },
]

function dateComponents(components: Components): string {
  return formOf(components, 'YXMxWwdD', DATE_FORMS) ?? 'YMD'
}

function timeComponents(components: Components): string {
  return formOf(components, 'PHhmsf', TIME_FORMS) ?? 'Hmsf'
}

/** The form that has all letters that are there. A zero counts as not there, as in the library. */
function formOf(components: Components, letters: string, forms: typeof DATE_FORMS): string | undefined {
  const present = [...letters].filter((letter) => components.get(letter))
  if (present.length === 0) return undefined
  return forms.find((form) => present.every((letter) => form.letters.includes(letter)))?.fill
}

function fill(components: Components, letters: readonly string[]): Components {
  const filled = new Map(components)
  let started = false
  let ended = false
  for (const letter of letters) {
    if (components.has(letter)) {
      started = true
      if (ended) throw builtinError('D3136')
      continue
    }
    if (!started) throw builtinError('D3136')
    ended = true
    filled.set(letter, 'MDd'.includes(letter) ? 1 : 0)
  }
  return filled
}

function monthAndDay(filled: Components, date: string): { month: number; day: number } {
  if (date !== 'YD') return { month: Math.max(0, get(filled, 'M') - 1), day: get(filled, 'D') }
  const millis = Date.UTC(get(filled, 'Y'), 0, get(filled, 'd'))
  const derived = new Date(millis)
  return { month: derived.getUTCMonth(), day: derived.getUTCDate() }
}

function hourOfDay(filled: Components): number {
  const hour = get(filled, 'h') === 12 ? 0 : get(filled, 'h')
  return get(filled, 'P') === 1 ? hour + 12 : hour
}

function get(components: Components, letter: string): number {
  return components.get(letter) as number
}
