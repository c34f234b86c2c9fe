import { readdirSync } from 'node:fs'
import { argv, exit, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { type CheckOutcome, DamagedProject } from './damaged-project.ts'

/**
 * `npm run proof:check [-- --files 20000 --seed 1]`: checks the shipped roles with one damaged file at a time. Exits 1 when a
 * check throws, or takes more than a second of processor time.
 */
const { values } = parseArgs({
  args: argv.slice(2),
  options: { files: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
})
const LIMIT_MS = 1000
const [files, seed] = [Number(values.files), Number(values.seed)]
const projects = readdirSync('roles').map((role) => new DamagedProject(role))
let [refused, faults, slowest] = [0, 0, 0]
for (let index = 0; index < files; index++) {
  const project = projects[index % projects.length] as DamagedProject
  const outcome = await project.check(seed + index).catch(report)
  if (outcome === undefined) continue
  if (outcome.findings > 0) refused++
  slowest = Math.max(slowest, outcome.milliseconds)
  if (outcome.milliseconds > LIMIT_MS) report(`${outcome.file} (seed ${seed + index}) took ${outcome.milliseconds} ms`)
}
for (const project of projects) project.remove()
stdout.write(
  `seed ${seed}: ${files} damaged files, ${refused} with findings, ${faults} faults, the slowest check ${slowest.toFixed(0)} ms\n`,
)
exit(faults === 0 ? 0 : 1)

function report(error: unknown): CheckOutcome | undefined {
  faults++
  stdout.write(`${error instanceof Error ? `${error.message}\n${(error.cause as Error | undefined)?.stack}` : error}\n`)
  return undefined
}
