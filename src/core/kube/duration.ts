const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** Milliseconds of a Go duration (`1h30m`, `10s`, `0s`), or `undefined` when the text is none. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined
  let sum = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    sum += Number(number) * UNITS[unit as keyof typeof UNITS]
  return Number.isFinite(sum) ? sum : undefined
}
