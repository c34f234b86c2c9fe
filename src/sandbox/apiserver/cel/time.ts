/** `1h30m`, `-1.5s`, as Go reads it: nanoseconds. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text)
  if (!match) return undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of (match[2] as string).matchAll(/(\d*)\.?(\d*)([a-zµμ]+)/g)) {
    const size = UNITS[unit] as bigint
    total += BigInt(whole || '0') * size
    if (fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length)
  }
  const signed = match[1] === '-' ? -total : total
  return signed >= -(2n ** 63n) && signed < 2n ** 63n ? signed : undefined
}

/** RFC 3339 with up to nanoseconds: nanoseconds since 1970. */
export function parseTimestamp(text: string): bigint | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9})\d*)?(Z|[+-]\d{2}:\d{2})$/.exec(text)
  if (!match) return undefined
  const [, date, time, fraction = '', zone] = match
  const millis = Date.parse(`${date}T${time}${zone}`)
  const isDate = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(`${date}`) === true
  if (Number.isNaN(millis) || !isDate || time?.startsWith('24')) return undefined
  return BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

export function printTimestamp(nanos: bigint): string {
  const [seconds, rest] = divide(nanos, SECOND)
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length)
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`
  return `${date}${fraction}Z`
}

/** In seconds, as CEL writes durations. */
export function printDuration(nanos: bigint): string {
  const positive = nanos < 0n ? -nanos : nanos
  const rest = String(positive % SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${nanos < 0n ? '-' : ''}${positive / SECOND}${rest === '' ? '' : `.${rest}`}s`
}

/** Quotient and a remainder that is never negative. */
export function divide(value: bigint, by: bigint): readonly [bigint, bigint] {
  const rest = ((value % by) + by) % by
  return [(value - rest) / by, rest]
}

export const SECOND = 1_000_000_000n

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
}
