import { builtinError } from '../builtin-error.ts'

const ISO = new RegExp(
  [
    /^(?<year>\d{4})(?:-(?<month>[01]\d)(?:-(?<day>[0-3]\d))?)?/,
    /(?:T(?<hour>[0-2]\d):(?<minute>[0-5]\d):(?<second>[0-5]\d)(?:\.(?<fraction>\d+))?)?/,
    /(?<zone>Z|[+-][0-2]\d:?[0-5]\d)?$/,
  ]
    .map(({ source }) => source)
    .join(''),
)

/** Milliseconds since 1970. A time without zone is UTC, wherever this runs. @throws ExpressionError `D3110` */
export function parseIsoTime(text: string): number {
  const parts = ISO.exec(text)?.groups
  if (parts === undefined) throw builtinError('D3110')
  const read = (name: string, missing: number) => (parts[name] === undefined ? missing : Number(parts[name]))
  const [year, month, day] = [read('year', 0), read('month', 1), read('day', 1)]
  const [hour, minute, second] = [read('hour', 0), read('minute', 0), read('second', 0)]
  const isMidnight = hour === 24 && minute === 0 && second === 0
  if (month < 1 || month > 12 || day < 1 || day > 31 || (hour > 23 && !isMidnight)) throw builtinError('D3110')
  const millis = Number((parts.fraction ?? '').slice(0, 3).padEnd(3, '0'))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, millis)
  return date.getTime() - zoneMinutes(parts.zone ?? 'Z') * 60_000
}

function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -minutes : minutes
}
