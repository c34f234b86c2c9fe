import { builtinError } from '../builtin-error.ts'
import { type IntegerPicture, type LetterCase, parseIntegerPicture } from '../integer-picture.ts'

/** A date and time picture (XPath F&O 9.8.4): text, and markers such as `[M01]`. */
export type DateTimePart = string | DateTimeMarker

export interface DateTimeMarker {
  /** `Y` year, `M` month, `D` day … */
  readonly component: string
  /** How the component is written as a number; not for names. */
  readonly integer?: IntegerPicture | undefined
  /** The case of a name. */
  readonly names?: LetterCase | undefined
  /** `t` after the presentation: UTC is written `Z`. */
  readonly zuluForUtc: boolean
  readonly maximumWidth?: number | undefined
  /** How many last digits of a year are written; -1: all. */
  readonly yearDigits: number
  /** For reading: exactly so many digits, because another number follows at once. */
  digitsToRead?: number
}

/** @throws ExpressionError `D3130` to `D3135` */
export function parseDateTimePicture(picture: string): readonly DateTimePart[] {
  const parts: DateTimePart[] = []
  for (const [, open, marker, text] of picture.matchAll(/(\[\[)|\[([^\]]*)\]|([^[]+)|\[/g)) {
    if (open !== undefined) parts.push('[')
    else if (text !== undefined) parts.push(text.split(']]').join(']'))
    else if (marker === undefined) throw builtinError('D3135')
    else addMarker(parts, parseMarker(marker.replace(/\s+/g, '')))
  }
  return parts
}

/** A number right before another one needs a width that says where it ends. */
function addMarker(parts: DateTimePart[], marker: DateTimeMarker): void {
  const previous = parts.at(-1)
  const isNumber = marker.integer !== undefined && !isZone(marker.component)
  if (isNumber && typeof previous === 'object' && previous.integer?.primary === 'digits') {
    previous.digitsToRead = previous.integer.mandatoryDigits
  }
  parts.push(marker)
}

/** How each component is written when the marker does not say. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ...[...'YMDdWwXxHhf'].map((component) => [component, '1'] as const),
  ...[...'FPCE'].map((component) => [component, 'n'] as const),
  ...[...'ms'].map((component) => [component, '01'] as const),
  ...[...'Zz'].map((component) => [component, '01:01'] as const),
])

/** Components that are numbers, unless they are written as names. */
const NUMBERS = 'YMDdFWwXxHhmsf'

function parseMarker(marker: string): DateTimeMarker {
  const component = marker.charAt(0)
  const standard = DEFAULTS.get(component)
  if (standard === undefined) throw builtinError('D3132')
  const comma = marker.lastIndexOf(',')
  const { presentation, modifier } = parsePresentation(marker.slice(1, comma < 0 ? undefined : comma), standard)
  const width = comma < 0 ? {} : parseWidth(marker.slice(comma + 1))
  const names = nameCase(presentation)
  const integer = names === undefined ? parseInteger({ component, presentation, modifier }, width.minimum) : undefined
  return {
    component,
    names,
    zuluForUtc: modifier === 't',
    maximumWidth: width.maximum,
    ...forYear(component, integer, width.maximum),
  }
}

interface Presentation {
  readonly presentation: string
  /** `a t c o`, the last letter of two or more. */
  readonly modifier: string
}

function parsePresentation(text: string, standard: string): Presentation {
  if (text === '') return { presentation: standard, modifier: '' }
  const last = text.slice(-1)
  const hasModifier = text.length > 1 && 'atco'.includes(last)
  return hasModifier ? { presentation: text.slice(0, -1), modifier: last } : { presentation: text, modifier: '' }
}

function parseWidth(text: string): { minimum?: number | undefined; maximum?: number | undefined } {
  const [minimum = '', maximum] = text.split(/-(.*)/s)
  return { minimum: readWidth(minimum), maximum: readWidth(maximum) }
}

function readWidth(text: string | undefined): number | undefined {
  const width = Number.parseInt(text ?? '', 10)
  return width >= 0 ? width : undefined
}

function nameCase(presentation: string): LetterCase | undefined {
  if (presentation.startsWith('n')) return 'lower'
  if (!presentation.startsWith('N')) return undefined
  return presentation[1] === 'n' ? 'title' : 'upper'
}

function parseInteger(
  { component, presentation, modifier }: Presentation & { component: string },
  minimumWidth = 0,
): IntegerPicture | undefined {
  if (isZone(component)) return parseIntegerPicture(presentation)
  if (!NUMBERS.includes(component)) return undefined
  const picture = parseIntegerPicture(modifier === '' ? presentation : `${presentation};${modifier}`)
  if (picture.primary !== 'digits') return picture
  return { ...picture, mandatoryDigits: Math.max(picture.mandatoryDigits, minimumWidth) }
}

function isZone(component: string): boolean {
  return component === 'Z' || component === 'z'
}

function forYear(
  component: string,
  integer: IntegerPicture | undefined,
  maximumWidth: number | undefined,
): Pick<DateTimeMarker, 'integer' | 'yearDigits'> {
  if (component !== 'Y' || integer === undefined) return { integer, yearDigits: -1 }
  if (integer.primary !== 'digits') return { integer, yearDigits: maximumWidth ?? -1 }
  if (maximumWidth !== undefined) {
    return { integer: { ...integer, mandatoryDigits: maximumWidth }, yearDigits: maximumWidth }
  }
  const digits = integer.mandatoryDigits + integer.optionalDigits
  return { integer, yearDigits: digits >= 2 ? digits : -1 }
}
