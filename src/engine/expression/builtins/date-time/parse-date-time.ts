import type { Budget } from '../../compile/budget.ts'
import { builtinError } from '../builtin-error.ts'
import { type IntegerPicture, isRegular } from '../integer-picture.ts'
import { integerPattern, parseInteger } from '../parse-integer.ts'
import { compileLiteral } from '../regex.ts'
import { composeTime } from './compose-time.ts'
import { type DateTimeMarker, type DateTimePart, parseDateTimePicture } from './date-time-picture.ts'
import { namesOf } from './format-date-time.ts'

/** Reads what a picture writes; nothing when the text is not like the picture. @throws ExpressionError `D3130` to `D3136` */
export function parseDateTime(text: string, picture: string, budget: Budget): number | undefined {
  const readers = parseDateTimePicture(picture).map(makeReader)
  const size = readers.reduce((total, reader) => total + reader.pattern.length + (reader.width ?? 0), 0)
  budget.step(size)
  budget.allocate(BYTES_PER_INSTRUCTION * size)
  const regex = compileLiteral(`^${readers.map((reader) => `(${reader.pattern})`).join('')}$`, 'i')
  const found = regex.exec(text, 0, (units) => budget.step(Math.ceil(units / 8)))
  if (found === undefined) return undefined
  const components = new Map<string, number>()
  readers.forEach(({ component, read }, index) => {
    const value = read?.(found.groups[index] as string)
    if (component !== undefined && value !== undefined) components.set(component, value)
  })
  return readers.some(({ read }) => read !== undefined) ? composeTime(components) : undefined
}

/** What the engine keeps for each character of a pattern, roughly. */
const BYTES_PER_INSTRUCTION = 50

/** How a part of the picture looks in a text, and what it says. */
interface Reader {
  readonly pattern: string
  readonly component?: string
  /** How many times the pattern repeats. */
  readonly width?: number | undefined
  readonly read?: (text: string) => number | undefined
}

function makeReader(part: DateTimePart): Reader {
  if (typeof part === 'string') return { pattern: part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') }
  const { component, integer } = part
  if (component === 'Z' || component === 'z') return { component, ...zoneReader(component, integer) }
  if (component === 'f' && integer !== undefined) return { component, pattern: '[0-9]+', read: readFraction }
  if (integer === undefined) return { component, pattern: '[a-zA-Z]+', read: nameReader(part) }
  return {
    component,
    width: part.digitsToRead,
    pattern: integerPattern(integer, part.digitsToRead),
    read: (text) => parseInteger(text, integer),
  }
}

function readFraction(text: string): number {
  return Number(text.slice(0, 3).padEnd(3, '0'))
}

function nameReader({ component, maximumWidth }: DateTimeMarker): (text: string) => number | undefined {
  if (component === 'P')
    return (text) =>
      new Map([
        ['am', 0],
        ['AM', 0],
        ['pm', 1],
        ['PM', 1],
      ]).get(text)
  const names = namesOf(component)
  if (names === undefined) throw builtinError('D3133')
  const values = new Map(names.map((name, index) => [name.slice(0, maximumWidth || undefined), index + 1]))
  return (text) => values.get(text)
}

function zoneReader(component: string, integer: IntegerPicture | undefined): Reader {
  const separator =
    integer?.primary === 'digits' && isRegular(integer.grouping) ? integer.grouping.character : undefined
  const name = component === 'z' ? 'GMT' : ''
  const tail = separator === undefined ? '' : `${separator.replace(/[^\w]/g, '\\$&')}[0-9]+`
  return {
    pattern: `${name}[-+][0-9]+${tail}`,
    read: (text) => readZone(text.slice(name.length), separator),
  }
}

/** As the library: minutes count forward also behind a minus. */
function readZone(text: string, separator: string | undefined): number {
  const cut = separator === undefined ? Math.min(3, text.length) : text.indexOf(separator)
  const minutes = text.slice(separator === undefined ? cut : cut + separator.length)
  return Number.parseInt(text.slice(0, cut), 10) * 60 + (Number.parseInt(minutes, 10) || 0)
}
