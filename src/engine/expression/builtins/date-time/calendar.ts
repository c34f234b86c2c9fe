/** Months and weekdays as people name them; Monday is the first. */
export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')
export const WEEKDAYS: readonly string[] = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

const DAY = 86_400_000

/**
 * The parts of a date in UTC by their letter in a picture.
 *
 * Weeks are those of ISO 8601: the first of a year, or of a month, is the one with its first Thursday.
 */
export const NUMBER_COMPONENTS: ReadonlyMap<string, (date: Date) => number> = new Map([
  ['Y', (date) => date.getUTCFullYear()],
  ['M', (date) => date.getUTCMonth() + 1],
  ['D', (date) => date.getUTCDate()],
  ['d', (date) => (startOfDay(date) - Date.UTC(date.getUTCFullYear(), 0)) / DAY + 1],
  ['F', (date) => date.getUTCDay() || 7],
  ['W', (date) => weekIn(date, yearOf(date))],
  ['w', (date) => weekIn(date, monthOf(date))],
  ['X', (date) => date.getUTCFullYear() + weekOverlap(date, yearOf(date))],
  ['x', (date) => ((date.getUTCMonth() + weekOverlap(date, monthOf(date)) + 12) % 12) + 1],
  ['H', (date) => date.getUTCHours()],
  ['h', (date) => date.getUTCHours() % 12 || 12],
  ['m', (date) => date.getUTCMinutes()],
  ['s', (date) => date.getUTCSeconds()],
  ['f', (date) => date.getUTCMilliseconds()],
])

/** A year or a month, and its neighbours, by when their first weeks start. */
interface Period {
  readonly previous: number
  readonly start: number
  readonly next: number
}

function yearOf(date: Date): Period {
  const year = date.getUTCFullYear()
  return { previous: firstWeek(year - 1, 0), start: firstWeek(year, 0), next: firstWeek(year + 1, 0) }
}

function monthOf(date: Date): Period {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { previous: firstWeek(year, month - 1), start: firstWeek(year, month), next: firstWeek(year, month + 1) }
}

/** The Monday of the week with the first Thursday. */
function firstWeek(year: number, month: number): number {
  const first = Date.UTC(year, month)
  const weekday = new Date(first).getUTCDay() || 7
  return weekday > 4 ? first + (8 - weekday) * DAY : first - (weekday - 1) * DAY
}

function weekIn(date: Date, { previous, start, next }: Period): number {
  const day = startOfDay(date)
  if (day >= next) return 1
  return Math.floor((day - (day < start ? previous : start)) / (7 * DAY)) + 1
}

/** -1 when the date is in the last week of the period before, 1 when in the first of the next. */
function weekOverlap(date: Date, { start, next }: Period): number {
  const time = date.getTime()
  if (time < start) return -1
  return time >= next ? 1 : 0
}

function startOfDay(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
}
