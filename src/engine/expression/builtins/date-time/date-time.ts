import type { Value } from '../../value.ts'
import { ofGiven, optionalText } from '../arguments.ts'
import type { Builtin, Call } from '../builtin.ts'
import { payItems, payLook } from '../cost.ts'
import { formatDateTime } from './format-date-time.ts'
import { parseDateTime } from './parse-date-time.ts'
import { parseIsoTime } from './parse-iso-time.ts'

/** Points in time as milliseconds since 1970, to and from text. Nothing here reads a clock. */
export const DATE_TIME_BUILTINS: readonly Builtin[] = [
  { name: 'fromMillis', signature: '<n-s?s?:s>', run: ofGiven(fromMillis) },
  { name: 'toMillis', signature: '<s-s?:n>', run: ofGiven(toMillis) },
]

const ISO_PICTURE = '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]'

function fromMillis(millis: number, { budget }: Call, args: readonly Value[]): string {
  const picture = optionalText(args, 1) ?? ISO_PICTURE
  payItems(budget, 4 * picture.length)
  return formatDateTime(millis, { picture, timezone: optionalText(args, 2), budget })
}

function toMillis(text: string, { budget }: Call, args: readonly Value[]): number | undefined {
  const picture = optionalText(args, 1)
  payLook(budget, text.length)
  if (picture === undefined) return parseIsoTime(text)
  payItems(budget, 4 * picture.length)
  return parseDateTime(text, picture, budget)
}
