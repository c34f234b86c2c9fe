import { CelRuntimeError } from '../cel-error.ts'
import type { FunctionTable } from '../signature.ts'
import { divide, SECOND } from '../time.ts'
import type { CelDuration, CelTimestamp, CelValue } from '../values.ts'

const DAY = 86_400_000

/** Parts of timestamps, in UTC or a time zone, and durations in units. */
export const TIMES: FunctionTable = {
  ...part('getFullYear', (date) => date.getUTCFullYear()),
  ...part('getMonth', (date) => date.getUTCMonth()),
  ...part(
    'getDayOfYear',
    (date) =>
      (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0)) /
      DAY,
  ),
  ...part('getDayOfMonth', (date) => date.getUTCDate() - 1),
  ...part('getDate', (date) => date.getUTCDate()),
  ...part('getDayOfWeek', (date) => date.getUTCDay()),
  ...part('getHours', (date) => date.getUTCHours()),
  ...part('getMinutes', (date) => date.getUTCMinutes()),
  ...part('getSeconds', (date) => date.getUTCSeconds()),
  ...part('getMilliseconds', (date) => date.getUTCMilliseconds()),
  'method getHours(duration): int': ([value]) => nanosOf(value) / (3600n * SECOND),
  'method getMinutes(duration): int': ([value]) => nanosOf(value) / (60n * SECOND),
  'method getSeconds(duration): int': ([value]) => nanosOf(value) / SECOND,
  'method getMilliseconds(duration): int': ([value]) => nanosOf(value) / (SECOND / 1000n),
}

function nanosOf(value: CelValue | undefined): bigint {
  return (value as CelDuration | CelTimestamp).nanos
}

function part(name: string, read: (date: Date) => number): FunctionTable {
  return {
    [`method ${name}(timestamp): int`]: ([value]) => BigInt(read(dateOf(nanosOf(value), 'UTC'))),
    [`method ${name}(timestamp, string): int`]: ([value, zone]) => BigInt(read(dateOf(nanosOf(value), zone as string))),
  }
}

/** A date whose UTC fields are those of the zone. */
function dateOf(nanos: bigint, zone: string): Date {
  const [millis] = divide(nanos, SECOND / 1000n)
  return new Date(Number(millis) + offsetOf(zone, Number(millis)))
}

function offsetOf(zone: string, millis: number): number {
  if (zone === 'UTC' || zone === '') return 0
  const fixed = /^([+-]?)(\d\d?):(\d\d?)$/.exec(zone)
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(millis)
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value
    return offsetOf((name as string).replace(/^GMT/, ''), millis)
  } catch {
    throw new CelRuntimeError(`unknown time zone ${zone}`)
  }
}
