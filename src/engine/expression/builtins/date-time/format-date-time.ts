import type { Budget } from '../../compile/budget.ts'
import { builtinError } from '../builtin-error.ts'
import { payText } from '../cost.ts'
import { formatInteger } from '../format-integer.ts'
import { type IntegerPicture, isRegular, type LetterCase, parseIntegerPicture } from '../integer-picture.ts'
import { MONTHS, NUMBER_COMPONENTS, WEEKDAYS } from './calendar.ts'
import { type DateTimeMarker, parseDateTimePicture } from './date-time-picture.ts'

interface FormatOptions {
  readonly picture: string
  /** `+hhmm`; UTC when there is none. */
  readonly timezone: string | undefined
  readonly budget: Budget
}

/** A point in time as the picture says. @throws ExpressionError `E1101`, `D3130` to `D3135` */
export function formatDateTime(millis: number, { picture, timezone, budget }: FormatOptions): string {
  const zone = readZone(timezone)
  const date = new Date(millis + (60 * zone.hours + zone.minutes) * 60_000)
  if (Number.isNaN(date.getTime())) throw builtinError('E1101')
  let text = ''
  for (const part of parseDateTimePicture(picture)) {
    const piece = typeof part === 'string' ? part : formatMarker(part, { date, zone, budget })
    payText(budget, piece.length)
    text += piece
  }
  return text
}

interface Zone {
  readonly hours: number
  readonly minutes: number
}

/** As the library: hours are rounded down, minutes keep the sign. */
function readZone(timezone: string | undefined): Zone {
  const offset = Number.parseInt(timezone ?? '0', 10)
  return { hours: Math.floor(offset / 100), minutes: offset % 100 }
}

interface Moment {
  readonly date: Date
  readonly zone: Zone
  readonly budget: Budget
}

function formatMarker(marker: DateTimeMarker, moment: Moment): string {
  const number = NUMBER_COMPONENTS.get(marker.component)?.(moment.date)
  if (number !== undefined) return formatNumber(number, marker, moment.budget)
  if (marker.component === 'P') return formatHalfDay(marker, moment.date)
  if (marker.component === 'C' || marker.component === 'E') return 'ISO'
  return formatZone(marker, moment)
}

function formatNumber(value: number, marker: DateTimeMarker, budget: Budget): string {
  if (marker.names !== undefined) return formatName(value, marker)
  const shown = marker.yearDigits === -1 ? value : value % 10 ** marker.yearDigits
  return formatInteger(shown, marker.integer as IntegerPicture, budget)
}

function formatName(value: number, { component, names, maximumWidth }: DateTimeMarker): string {
  const list = namesOf(component)
  if (list === undefined) throw builtinError('D3133')
  return inCase(list[value - 1] as string, names).slice(0, maximumWidth)
}

/** The names of a component's values, for those that have names. */
export function namesOf(component: string): readonly string[] | undefined {
  if (component === 'M' || component === 'x') return MONTHS
  return component === 'F' ? WEEKDAYS : undefined
}

function inCase(name: string, letterCase: LetterCase | undefined): string {
  if (letterCase === 'upper') return name.toUpperCase()
  return letterCase === 'lower' ? name.toLowerCase() : name
}

function formatHalfDay({ names }: DateTimeMarker, date: Date): string {
  const half = date.getUTCHours() >= 12 ? 'pm' : 'am'
  return names === 'upper' ? half.toUpperCase() : half
}

function formatZone(marker: DateTimeMarker, { zone, budget }: Moment): string {
  const digits = formatOffset(zone, marker.integer, budget)
  const offset = zone.hours * 100 + zone.minutes
  if (offset === 0 && marker.zuluForUtc) return 'Z'
  return `${marker.component === 'z' ? 'GMT' : ''}${offset >= 0 ? '+' : ''}${digits}`
}

function formatOffset({ hours, minutes }: Zone, picture: IntegerPicture | undefined, budget: Budget): string {
  if (picture?.primary !== 'digits') throw builtinError('D3134')
  const { mandatoryDigits, grouping } = picture
  if (isRegular(grouping) || mandatoryDigits === 3 || mandatoryDigits === 4) {
    return formatInteger(hours * 100 + minutes, picture, budget)
  }
  if (mandatoryDigits > 4) throw builtinError('D3134')
  const text = formatInteger(hours, picture, budget)
  return minutes === 0 ? text : `${text}:${formatInteger(minutes, parseIntegerPicture('00'), budget)}`
}
