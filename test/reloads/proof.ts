/**
 * Exchanges the project of a running operator 100 times a second and counts what it holds before and after, each object on
 * its heap included. Ends with code 1 when something leaks, be it one compiled role for each reload, or when a single edit is
 * not followed within two seconds.
 *
 *     npm run proof:reloads -- [--seconds 10]
 */
import process, { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { leaksOf, reloadStorm } from './reload-storm.ts'

/** Milliseconds within which an edit must be followed. */
const PROMISED = 2_000
const { values } = parseArgs({ args: argv.slice(2), options: { seconds: { type: 'string', default: '10' } } })
const seconds = Number(values.seconds)
const figures = await reloadStorm({ seconds })
const { before, after, published, reloads, used, settled, followed } = figures
const rows = (Object.keys(before) as (keyof typeof before)[]).map(
  (name) => `${name}: ${before[name]} -> ${after[name]}`,
)
const counted = Object.entries(reloads).map(([result, count]) => `${count} ${result}`)
const lines = [
  `${published} swaps of ..data in ${seconds} s, read as reloads: ${counted.join(', ')}`,
  `over ${used} projects that were put to use:`,
  ...rows,
  `the last version was followed by all resources after ${settled} ms`,
  `single edits were followed after ${followed[0]} to ${followed.at(-1)} ms`,
]
stdout.write(`${lines.join('\n')}\n`)
const problems = [
  ...leaksOf(figures),
  ...((followed.at(-1) ?? 0) > PROMISED ? [`followed after ${followed.at(-1)} ms`] : []),
]
for (const problem of problems) stdout.write(`FAILED ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
