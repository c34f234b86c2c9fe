import type { Divergence } from './run-plan.ts'

/** Characters around the first place in which two texts differ. */
const AROUND = 80
const MOST = 300

/** What an oracle says, in brief: of an object that is another one, the place that differs. */
export function printDivergences(divergences: readonly Divergence[]): readonly string[] {
  const missing = divergences.filter(({ what }) => what.includes(NOT_THERE))
  const printed = new Set<Divergence>()
  return divergences.flatMap((divergence) => {
    const { oracle, what } = divergence
    if (printed.has(divergence)) return []
    const other = missing.find(
      (one) => !printed.has(one) && what.includes(THERE) && titleOf(one.what) === titleOf(what),
    )
    if (!other) return [`${oracle}: ${what.length > MOST ? `${titleOf(what)} ${what.slice(0, MOST)}…` : what}`]
    printed.add(other)
    return [
      `${oracle}: ${titleOf(what)}: ${firstDifference(what.replace(THERE, ''), other.what.replace(NOT_THERE, ''))}`,
    ]
  })
}

const THERE = ' there is {'
const NOT_THERE = ' there is no {'

/** Which object a text is about. */
function titleOf(what: string): string {
  const [at = ''] = what.split(/ there is/, 1)
  const [, kind = ''] = /"kind":"(\w+)","metadata"/.exec(what) ?? []
  const [, name = ''] = /"name":"([^"]+)","namespace"/.exec(what) ?? /"name":"([^"]+)"\}/.exec(what) ?? []
  return `${at} ${kind} ${name}`
}

function firstDifference(seen: string, expected: string): string {
  let start = 0
  while (start < seen.length && seen[start] === expected[start]) start++
  const part = (text: string): string => text.slice(Math.max(0, start - AROUND), start + AROUND)
  return `…${part(seen)}… in place of …${part(expected)}…`
}
