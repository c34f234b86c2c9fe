/** When a cron schedule fires: five sets of numbers, and whether its two kinds of days were left open. */
export interface Schedule {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** If both kinds of days are given, one of them is enough. */
  readonly anyDay: boolean
}

const NAMED = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

type Limits = readonly [low: number, high: number, names: readonly string[]]

/** What is wrong with a schedule, in the words of the server; `undefined` when all is well. */
export function checkSchedule(text: string): string | undefined {
  try {
    parseSchedule(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** @throws Error in the words of the server */
export function parseSchedule(text: string): Schedule {
  const named = NAMED.get(text)
  if (text.startsWith('@') && named === undefined) throw new Error(`unrecognized descriptor: ${text}`)
  const fields = (named ?? text).trim().split(/\s+/)
  if (fields.length !== 5) throw new Error(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  return {
    minutes: parseField(minute, [0, 59, []]),
    hours: parseField(hour, [0, 23, []]),
    days: parseField(day, [1, 31, []]),
    months: parseField(month, [1, 12, MONTHS]),
    weekdays: parseField(weekday, [0, 6, WEEKDAYS]),
    anyDay: !/^[*?]/.test(day) && !/^[*?]/.test(weekday),
  }
}

/** Commas with nothing between them count for nothing, as in the server. */
function parseField(field: string, limits: Limits): Set<number> {
  const numbers = new Set<number>()
  for (const part of field.split(',').filter((each) => each !== '')) {
    for (const number of parsePart(part, limits)) numbers.add(number)
  }
  return numbers
}

function parsePart(part: string, [low, high, names]: Limits): readonly number[] {
  const [range = '', step, more] = part.split('/')
  if (more !== undefined) throw new Error(`too many slashes: ${part}`)
  const isAll = range === '*' || range === '?'
  const [from = '', to, extra] = isAll ? [String(low), String(high)] : range.split('-')
  if (extra !== undefined) throw new Error(`too many hyphens: ${part}`)
  const first = parseNumber(from, names)
  const last = to === undefined ? (step === undefined ? first : high) : parseNumber(to, names)
  const stride = step === undefined ? 1 : parseNumber(step, [])
  if (first < low) throw new Error(`beginning of range (${first}) below minimum (${low}): ${part}`)
  if (last > high) throw new Error(`end of range (${last}) above maximum (${high}): ${part}`)
  if (first > last) throw new Error(`beginning of range (${first}) beyond end of range (${last}): ${part}`)
  if (stride === 0) throw new Error(`step of range should be a positive number: ${part}`)
  return Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, index) => first + index * stride)
}

function parseNumber(text: string, names: readonly string[]): number {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase())
  if (named >= 0) return named
  if (!/^\d+$/.test(text))
    throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`)
  return Number(text)
}
