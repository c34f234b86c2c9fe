/**
 * Runs 10,000 random roles, each on a secret value of its own that stands in one of the places of `places.ts`, and ends with code 1 when
 * one is found in a spelling that SECURITY.md covers: in the status, events, the ledger, the log at every level, reports and traces of
 * runs, metrics, or in what `rolebook explain`, `rolebook diff` and `rolebook render` print.
 *
 *     npm run proof:canaries -- [--runs 10000] [--seed 1]
 */
import process, { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { type CanaryLeak, type CanaryReport, runCanaries } from './canary-runs.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const seed = Number(values.seed)
const began = performance.now()
const report = await runCanaries({
  runs: Number(values.runs),
  seed,
  onProgress: (runs, found) => {
    for (const leak of found) printLeak(leak)
    if (runs % 500 < 20) stdout.write(`${runs} runs\n`)
  },
})
print(report)
process.exitCode = report.leaks.length === 0 ? 0 : 1

function print({ runs, places, outcomes, characters, leaks }: CanaryReport): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  stdout.write(`\nplaces    ${list(places)}\n`)
  stdout.write(`ends      ${list(outcomes)}\n`)
  stdout.write(`seed ${seed}: ${runs} runs, ${characters} characters searched, ${leaks.length} leaks, ${seconds} s\n`)
}

function printLeak({ place, sink, form, around, role }: CanaryLeak): void {
  stdout.write(`\nLEAK of ${place} as ${form} in ${sink}:\n${around}\n${role}`)
}

function list(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ')
}
