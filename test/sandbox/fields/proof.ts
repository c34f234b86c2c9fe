/**
 * Sends every spoiled field of every built-in kind to the sandbox, and ends with code 1 when it does not answer as a real
 * server did when it was recorded.
 *
 *     npm run proof:fields -- [--only Pod,Service] [--show 3] [--out FILE] [--update]
 *
 * `--show` prints so many new differences of each kind and class, `--out` writes all differences to a file, a line of
 * JSON each. `--update` writes those without a reason into the list of what is to be mended; without it, a difference that
 * is not in the list, and a line of the list that is no difference any more, end the proof with code 1.
 */
import { writeFileSync } from 'node:fs'
import process, { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { startSandbox } from '../contract/server-under-test.ts'
import { casesOf, idOf, type Subject } from './cases.ts'
import { CLASSES, compareKind, type Difference, printDifference } from './compare.ts'
import { readRecording } from './recording.ts'
import { nameOf, subjects } from './subjects.ts'
import { lineOf, unmended, updateUnmended } from './unmended.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    only: { type: 'string' },
    show: { type: 'string', default: '3' },
    out: { type: 'string' },
    update: { type: 'boolean', default: false },
  },
})

interface Count {
  readonly compared: number
  /** Cases without an answer in the recording. */
  readonly unrecorded: number
  /** Answers in the recording to cases that are no more. */
  readonly outdated: number
}

const began = performance.now()
const found: Difference[] = []
const kinds = new Set<string>()
const counts: Count[] = []
for (const subject of subjects(values.only?.split(','))) {
  kinds.add(nameOf(subject))
  counts.push(await proveKind(subject))
}
if (values.out) writeFileSync(values.out, found.map((each) => `${printLine(each)}\n`).join(''))
const fresh = found.filter(isNew)
const open = new Set(found.filter(({ reason }) => reason === undefined).map(lineOf))
const mended = [...unmended()].filter((line) => kinds.has(line.slice(0, line.indexOf('\t'))) && !open.has(line))
if (values.update) updateUnmended(kinds, found)
const total = {
  compared: sum(counts.map(({ compared }) => compared)),
  unrecorded: sum(counts.map(({ unrecorded }) => unrecorded)),
  outdated: sum(counts.map(({ outdated }) => outdated)),
}
stdout.write(`\n${printReasons()}${printCounts('all kinds', total, found)}\n`)
for (const line of mended) stdout.write(`mended, and still in the list (--update): ${line.replaceAll('\t', ' | ')}\n`)
stdout.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`)
process.exitCode = values.update || (fresh.length === 0 && mended.length === 0 && total.outdated === 0) ? 0 : 1

async function proveKind(subject: Subject): Promise<Count> {
  const recording = readRecording(nameOf(subject)) ?? new Map<string, string>()
  const all = casesOf(subject)
  const cases = all.filter((each) => recording.has(idOf(each)))
  const count = {
    compared: cases.length,
    unrecorded: all.length - cases.length,
    outdated: recording.size - cases.length,
  }
  const server = await startSandbox()
  try {
    const differences = await compareKind({ server, lanes: 8 }, subject, { cases, recording })
    found.push(...differences)
    stdout.write(`${printCounts(nameOf(subject), count, differences)}\n${printSome(differences)}`)
  } finally {
    await server.close()
  }
  return count
}

function isNew(difference: Difference): boolean {
  return difference.reason === undefined && !unmended().has(lineOf(difference))
}

function printCounts(name: string, count: Count, differences: readonly Difference[]): string {
  const unexplained = differences.filter(({ reason }) => reason === undefined)
  const byClass = CLASSES.map((type) => [type, unexplained.filter((each) => each.type === type).length] as const)
  const classes = byClass.filter(([, number]) => number > 0).map(([type, number]) => `${type} ${number}`)
  const texts = [
    `${count.compared} compared`,
    `${unexplained.length} differences${classes.length > 0 ? ` (${classes.join(', ')})` : ''}`,
    `${unexplained.filter(isNew).length} of them new`,
    `${differences.length - unexplained.length} explained ones`,
    ...(count.unrecorded > 0 ? [`${count.unrecorded} not recorded`] : []),
    ...(count.outdated > 0 ? [`${count.outdated} recorded ones outdated`] : []),
  ]
  return `${name}: ${texts.join(', ')}`
}

function printReasons(): string {
  const byReason = new Map<string, number>()
  for (const { reason } of found) if (reason !== undefined) byReason.set(reason, (byReason.get(reason) ?? 0) + 1)
  return [...byReason].map(([reason, number]) => `${String(number).padStart(6)}  ${reason}\n`).join('')
}

function printSome(differences: readonly Difference[]): string {
  const open = differences.filter(isNew)
  return CLASSES.flatMap((type) => open.filter((each) => each.type === type).slice(0, Number(values.show)))
    .map(printDifference)
    .join('')
}

function printLine({ kind, each, type, recorded, given, reason }: Difference): string {
  return JSON.stringify({ kind, id: idOf(each), type, reason, recorded, given })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
