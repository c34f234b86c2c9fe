/**
 * Runs the same work on a real control plane with rolebook, with operators as people write them in Go and in Python, and with
 * loops that only write; one after the other, in each round, each on a new control plane.
 *
 *     npm run bench -- --cluster [--resources 1000] [--kinds 1] [--tasks 3] [--rounds 2] [--repairs 200]
 *         [--contestants rolebook,kopf] [--requests] [--json FILE] [--write docs/performance.md]
 *
 * The time of one run says little, as it depends on the machine: compare within one run. `--resources 1000,10000` measures both
 * numbers by turns and compares what a resource takes; `--write` then writes that comparison only.
 */
import { writeFileSync } from 'node:fs'
import { argv, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { buildBinaries, missingForBinaries } from '../../test/control-plane/binaries.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { machine } from '../machine.ts'
import { CONTESTANTS, type Contestant, ROLEBOOK } from './contestants.ts'
import { measureContestant, type PhaseResult } from './phases.ts'
import { growthReports, type Report, reportsOf, requestTable, toMarkdown, toText } from './report.ts'
import { leastWrites, type Workload } from './workload.ts'
import { writeFigures } from './write-figures.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    cluster: { type: 'boolean' },
    resources: { type: 'string', default: '1000' },
    kinds: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '2' },
    repairs: { type: 'string', default: '200' },
    contestants: { type: 'string', default: CONTESTANTS.map(({ id }) => id).join() },
    requests: { type: 'boolean', default: false },
    json: { type: 'string' },
    write: { type: 'string' },
  },
})
const missing = missingForBinaries()
if (missing !== undefined) throw new Error(`cannot start a control plane: ${missing}`)
buildBinaries()
const measured = values.resources.split(',').map((resources) => ({
  workload: { resources: Number(resources), kinds: Number(values.kinds), objects: Number(values.tasks) },
  results: [] as PhaseResult[],
}))
const contestants = values.contestants.split(',').map(named).filter(isThere)
buildAll()
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const { workload, results } of measured) {
    for (const contestant of contestants) {
      const phases = await measureContestant(contestant, { workload, repairs: Number(values.repairs) })
      results.push(...phases)
      writeJson()
      const seconds = phases.map(({ phase, seconds }) => `${phase} ${seconds.toFixed(1)} s`)
      stderr.write(`round ${round}, ${workload.resources}, ${contestant.name}: ${seconds.join(', ')}\n`)
    }
  }
}

for (const { workload, results } of measured) {
  const reports = reportsOf(results, workload)
  show(titleOf(workload), reports)
  if (values.requests) stdout.write(`\n${ROLEBOOK}\n${toText(requestTable(results, ROLEBOOK))}\n`)
  if (measured.length === 1) write(nameOf(workload), titleOf(workload), reports)
}
for (const [index, more] of measured.entries()) {
  const fewer = measured[index - 1]
  if (fewer === undefined) continue
  const title = `${fewer.workload.resources} and ${more.workload.resources} resources by turns, ${rounds()}.`
  const reports = growthReports(fewer, more)
  show(title, reports)
  write(`${nameOf(fewer.workload)}-to-${more.workload.resources}`, title, reports)
}

/** Before the first is measured, so that its cold start is not that of its compiler. */
function buildAll(): void {
  const folder = temporaryFolder()
  for (const { workload } of measured) {
    for (const contestant of contestants) contestant.command({ workload, kubeconfig: folder.at('kubeconfig'), folder })
  }
  folder.remove()
}

/** After each contestant, so that a long run that is interrupted is not lost. */
function writeJson(): void {
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine: machine(), measured }, null, 2)}\n`)
}

function named(name: string): Contestant {
  const found = CONTESTANTS.find(({ id }) => id === name)
  if (!found) throw new Error(`there is no contestant "${name}" (choose of: ${CONTESTANTS.map(({ id }) => id).join()})`)
  return found
}

function isThere({ name, missing }: Contestant): boolean {
  const reason = missing()
  if (reason !== undefined) stderr.write(`SKIPPED: ${name}: ${reason}\n`)
  return reason === undefined
}

/** Of its figures in a page: `1000-1-3`. */
function nameOf({ resources, kinds, objects }: Workload): string {
  return `${resources}-${kinds}-${objects}`
}

function titleOf(workload: Workload): string {
  const { resources, kinds, objects } = workload
  const { create, update } = leastWrites(workload)
  return (
    `${resources} resources of ${kinds} ${kinds === 1 ? 'kind' : 'kinds'}, ${objects} objects each, ${rounds()}. ` +
    `The least writes: ${create} for a new resource, ${update} for a change, 1 for a repair.`
  )
}

function rounds(): string {
  return values.rounds === '1' ? 'one round' : `medians of ${values.rounds} rounds`
}

function show(title: string, reports: readonly Report[]): void {
  const tables = reports.map(({ title, table }) => `${title}\n${toText(table)}\n`)
  stdout.write(`${title}\n${machine()}\n\n${tables.join('\n')}\n`)
}

function write(name: string, title: string, reports: readonly Report[]): void {
  if (values.write === undefined) return
  const tables = reports.map(({ title, table }) => `${title}:\n\n${toMarkdown(table)}`)
  writeFigures(values.write, name, `${title}\n${machine()}\n\n${tables.join('\n\n')}`)
}
