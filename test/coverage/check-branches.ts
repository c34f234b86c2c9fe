/**
 * Every branch of `src/` that no test reaches is worth a sentence: it stands in a YAML file beside this program with
 * the reason, or the check fails. Run by `npm run coverage`, after c8 has written `coverage/coverage-final.json`.
 *
 * An entry names the source file and the text at which the branch starts (or its whole line, where that text alone says
 * little), not a line number, so that edits elsewhere leave it alone. An entry that names no text of its file is stale, and fails too.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, relative, sep } from 'node:path'
import { parse } from 'yaml'

interface Position {
  readonly line: number
  readonly column: number
}
interface BranchPlace {
  readonly start: Position
  readonly end: Position
}
/** What c8's `json` reporter writes of a file: Istanbul's format. */
interface FileCoverage {
  readonly b: Readonly<Record<string, readonly number[]>>
  readonly branchMap: Readonly<Record<string, { readonly locations: readonly BranchPlace[] }>>
}
interface Excuse {
  readonly code: string
  readonly why: string
}

const root = join(import.meta.dirname, '../..')
const SHORTEST_REASON = 20

function main(): void {
  const excuses = readExcuses()
  const coverage: Record<string, FileCoverage> = JSON.parse(
    readFileSync(join(root, 'coverage/coverage-final.json'), 'utf8'),
  )
  const problems = [
    ...Object.entries(coverage).flatMap(([path, file]) => unexplainedBranches(path, file, excuses)),
    ...wrongExcuses(excuses),
  ]
  for (const problem of problems) console.error(problem)
  const explained = [...excuses.values()].reduce((sum, list) => sum + list.length, 0)
  console.log(`uncovered branches: ${explained} explained, ${problems.length} to be covered, removed or explained`)
  if (problems.length > 0) process.exitCode = 1
}

function readExcuses(): Map<string, readonly Excuse[]> {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'))
  const entries = files.flatMap((name): [string, Excuse[]][] =>
    Object.entries(parse(readFileSync(join(import.meta.dirname, name), 'utf8')) ?? {}),
  )
  const byFile = Map.groupBy(entries, ([file]) => file)
  return new Map([...byFile].map(([file, parts]) => [file, parts.flatMap(([, excuses]) => excuses)]))
}

function unexplainedBranches(
  path: string,
  file: FileCoverage,
  excuses: ReadonlyMap<string, readonly Excuse[]>,
): string[] {
  const name = relative(root, path).split(sep).join('/')
  const text = readFileSync(path, 'utf8')
  if (holdsTypesOnly(text)) return []
  const lines = text.split('\n')
  const explained = new Set(excuses.get(name)?.map(({ code }) => code))
  return Object.entries(file.b).flatMap(([id, counts]) =>
    counts.flatMap((count, index) => {
      const place = file.branchMap[id]?.locations[index]
      if (count > 0 || place === undefined) return []
      const code = textOf(place, lines)
      return explained.has(code)
        ? []
        : [`${name}:${place.start.line}:${place.start.column + 1}: no test gets to: ${code}`]
    }),
  )
}

/** From the start of the branch to its end, or to the end of its first line. */
function textOf({ start, end }: BranchPlace, lines: readonly string[]): string {
  const line = lines[start.line - 1] ?? ''
  // What begins at the end of the line above has the column -1.
  return line.slice(Math.max(start.column, 0), end.line === start.line ? end.column : undefined).trim()
}

function holdsTypesOnly(text: string): boolean {
  const code = stripTypeScriptTypes(text).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  return code.replace(/^export\s*\{\s*\}\s*;?/gm, '').trim() === ''
}

function wrongExcuses(excuses: ReadonlyMap<string, readonly Excuse[]>): string[] {
  return [...excuses].flatMap(([name, list]) => {
    const text = readFileSync(join(root, name), 'utf8')
    return list.flatMap(({ code, why }) => {
      if (!text.includes(code)) return [`${name}: explained, but not in the file any more: ${code}`]
      return typeof why === 'string' && why.length >= SHORTEST_REASON ? [] : [`${name}: no reason given for: ${code}`]
    })
  })
}

main()
