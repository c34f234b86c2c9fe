/**
 * Lets an operator, deployed as in `deploy/` on a real API server, rest over many resources for some minutes, then disturbs them
 * at random. Ends with code 1 when anything but the lease is written at rest, when an object is not put right again, or when the
 * process holds over a tenth more memory in the end than at rest. Runs on Linux.
 *
 *     npm run proof:rest -- [--resources 1000] [--minutes 10] [--disturbances 1000] [--seed 1]
 */
import process, { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { installOperator } from '../cluster/operator-account.ts'
import { ControlPlane } from '../control-plane/control-plane.ts'
import { RestRun } from './rest-run.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    resources: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '10' },
    disturbances: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
})
const plane = await ControlPlane.start()
try {
  installOperator(plane)
  const report = await RestRun.run(plane, {
    resources: Number(values.resources),
    disturbances: Number(values.disturbances),
    seed: Number(values.seed),
    rest: () => sleep(Number(values.minutes) * 60_000),
    onProgress: (line) => stdout.write(`${line}\n`),
  })
  const { writesAtRest, renewals, cpu, seconds, memory, disturbed, different } = report
  const growth = memory.recovered / memory.rested
  for (const write of writesAtRest.slice(0, 20)) stdout.write(`WRITTEN   ${write}\n`)
  for (const name of different.slice(0, 20)) stdout.write(`DIFFERENT ${name}\n`)
  stdout.write(
    `at rest   ${Math.round(seconds)} s: ${writesAtRest.length} writes, ${renewals} renewals of the lease, ` +
      `${cpu.toFixed(1)} s of processor time (${((cpu / seconds) * 100).toFixed(2)} %)\n`,
  )
  stdout.write(
    `memory    ${memory.converged.toFixed(0)} MB converged, ${memory.rested.toFixed(0)} MB rested, ` +
      `${memory.recovered.toFixed(0)} MB after the disturbances: ratio ${growth.toFixed(2)}\n`,
  )
  for (const [name, count] of disturbed) stdout.write(`disturbed ${count} x ${name}\n`)
  stdout.write(`objects   ${different.length} are not what they were\n`)
  process.exitCode = writesAtRest.length === 0 && different.length === 0 && growth <= 1.1 ? 0 : 1
} finally {
  await plane.stop()
}
