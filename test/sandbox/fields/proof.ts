/**
 * Sends every spoiled field of every built-in kind to the sandbox, and ends with code 1 when it does not answer as a real
 * server did when it was recorded.
 *
 *     npm run proof:fields -- [--only Pod,Service] [--show 20] [--out FILE]
 *
 * `--show` prints so many differences of each kind and class, `--out` writes all of them to a file, a line of JSON each.
 */
import { writeFileSync } from 'node:fs'
import process, { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { startSandbox } from '../contract/server-under-test.ts'
import { casesOf, idOf } from './cases.ts'
import { CLASSES, compareKind, type Difference, printDifference } from './compare.ts'
import { readRecording } from './recording.ts'
import { nameOf, subjects } from './subjects.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    only: { type: 'string' },
    show: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
})
const began = performance.now()
const found: Difference[] = []
let compared = 0
let outdated = 0
for (const subject of subjects(values.only?.split(','))) {
  const recording = readRecording(nameOf(subject)) ?? new Map<string, string>()
  const all = casesOf(subject)
  const cases = all.filter((each) => recording.has(idOf(each)))
  const missing = recording.size === 0 ? all.length : recording.size - cases.length
  outdated += missing
  const sandbox = await startSandbox()
  try {
    const differences = await compareKind({ server: sandbox, lanes: 8 }, subject, { cases, recording })
    found.push(...differences)
    compared += cases.length
    stdout.write(
      `${printCounts(nameOf(subject), cases.length, differences)}${missing > 0 ? `, ${missing} not recorded` : ''}\n`,
    )
    stdout.write(printSome(differences))
  } finally {
    await sandbox.close()
  }
}
if (values.out) writeFileSync(values.out, found.map((each) => `${printLine(each)}\n`).join(''))
const unexplained = found.filter(({ reason }) => reason === undefined)
stdout.write(`\n${printReasons()}${printCounts('all kinds', compared, found)}, ${outdated} not recorded`)
stdout.write(`, ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
process.exitCode = unexplained.length === 0 && outdated === 0 ? 0 : 1

function printCounts(name: string, total: number, differences: readonly Difference[]): string {
  const open = differences.filter(({ reason }) => reason === undefined)
  const counts = CLASSES.map((type) => [type, open.filter((each) => each.type === type).length] as const)
  const texts = counts.filter(([, count]) => count > 0).map(([type, count]) => `${type} ${count}`)
  const explained = differences.length - open.length
  return `${name}: ${total} compared, ${open.length} differences, ${explained} explained ones${texts.length > 0 ? ` (${texts.join(', ')})` : ''}`
}

function printReasons(): string {
  const counts = new Map<string, number>()
  for (const { reason } of found) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `${String(count).padStart(6)}  ${reason}\n`).join('')
}

function printSome(differences: readonly Difference[]): string {
  return CLASSES.flatMap((type) => {
    const open = differences.filter((each) => each.type === type && each.reason === undefined)
    return open.slice(0, Number(values.show)).map(printDifference)
  }).join('')
}

function printLine({ kind, each, type, recorded, given, reason }: Difference): string {
  return JSON.stringify({ kind, id: idOf(each), type, reason, recorded, given })
}
