/** For people: `4 s`, `12 min`, `3 h`, `8 d`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** How long ago a time was: `4 s ago`. Empty for a time that is none. */
export function formatAgo(time: string, now: number): string {
  const at = Date.parse(time)
  return Number.isNaN(at) ? '' : `${formatAge(now - at)} ago`
}

/** For people: `0.4 ms`, `12 ms`, `1.5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${round(milliseconds / 1000)} s`
  return `${round(milliseconds)} ms`
}

/** `1 object`, `2 objects`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** `team-a/web`, or the name alone. */
export function formatName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

function round(value: number): number {
  return value >= 10 ? Math.round(value) : Math.round(value * 10) / 10
}
