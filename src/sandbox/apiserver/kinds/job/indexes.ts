/** From and to, both inclusive. */
type Interval = readonly [from: number, to: number]

/** How many indexes `1,3-5` names, or what is wrong with it. */
export function countIndexes(text: string, completions: number): number | string {
  const intervals = readIndexes(text, completions)
  return typeof intervals === 'string' ? intervals : intervals.reduce((sum, [from, to]) => sum + to - from + 1, 0)
}

/** The indexes that `1,3-5` names, or what is wrong with it. */
export function readIndexes(text: string, completions: number): readonly Interval[] | string {
  const intervals: Interval[] = []
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = readInterval(part, completions)
    if (typeof interval === 'string') return interval
    const [, last] = intervals.at(-1) ?? []
    if (last !== undefined && last >= interval[0]) return notIncreasing(last, interval[0])
    intervals.push(interval)
  }
  return intervals
}

function readInterval(interval: string, completions: number): Interval | string {
  const parts = interval.split('-')
  if (parts.length > 2) {
    const rule = "the requirement that an index interval can have at most two parts separated by '-'"
    return `the fragment ${JSON.stringify(interval)} violates ${rule}`
  }
  for (const part of parts) {
    if (!/^\+?\d{1,18}$/.test(part)) return `cannot convert string to integer for index: ${JSON.stringify(part)}`
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`
  }
  const [from = 0, to = from] = parts.map(Number)
  return parts.length > 1 && from >= to ? notIncreasing(from, to) : [from, to]
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`
}
