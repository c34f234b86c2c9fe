import { didYouMean } from '../../../core/base/nearest-name.ts'

/** Which port is meant by one that is not there: the only one, the one that is almost called so, or one of all. */
export function portHint(wanted: string, names: readonly string[], subject: string): string {
  const [first, ...others] = new Set(names)
  if (first === undefined) return `${subject} have no names`
  if (others.length === 0) return `did you mean \`${first}\`?`
  return didYouMean(wanted, names) ?? `there are ${[first, ...others].join(', ')}`
}
