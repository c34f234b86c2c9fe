import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { idOf } from './cases.ts'
import type { Difference } from './compare.ts'

/** Differences that have no reason and are not mended yet, a line each: none may come, and those that go are struck off. */
const FILE = new URL('unmended.generated.txt', import.meta.url)

let lines: ReadonlySet<string> | undefined

/** The lines of the list. */
export function unmended(): ReadonlySet<string> {
  lines ??= new Set(existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean) : [])
  return lines
}

/** What stands in the list about a difference. */
export function lineOf({ kind, each }: Pick<Difference, 'kind' | 'each'>): string {
  return `${kind}\t${idOf(each)}`
}

/** Replaces the lines of the kinds that were compared. */
export function updateUnmended(kinds: ReadonlySet<string>, differences: readonly Difference[]): void {
  const others = [...unmended()].filter((line) => !kinds.has(line.slice(0, line.indexOf('\t'))))
  const open = differences.filter(({ reason }) => reason === undefined).map(lineOf)
  writeFileSync(
    FILE,
    [...others, ...open]
      .sort()
      .map((line) => `${line}\n`)
      .join(''),
  )
}
