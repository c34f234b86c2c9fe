/**
 * Sends 10,000 random requests to a real API server and to the sandbox, and ends with code 1 when an answer differs.
 *
 *     SEED=17 npm run proof:random -- [--steps 10000] [--lanes 6] [--only Deployment,custom] [--kubeconfig FILE]
 *
 * Without a kubeconfig, an API server is started for it. One that is given must have no controllers.
 */
import process, { argv, env, exit, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { connectToCluster, startSandbox } from '../server-under-test.ts'
import { startBareServer } from './bare-server.ts'
import { printReport } from './print-report.ts'
import { runRandom } from './run-random.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    steps: { type: 'string', default: '10000' },
    lanes: { type: 'string', default: '6' },
    'custom-kinds': { type: 'string', default: '24' },
    only: { type: 'string' },
    'shrink-ms': { type: 'string' },
    kubeconfig: { type: 'string' },
  },
})
// A signal that ends the proof ends its servers, too: they end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => exit(130))
const seed = Number(env.SEED ?? Date.now() % 1_000_000_000)
stdout.write(`seed ${seed}\n`)
const plane = values.kubeconfig === undefined ? await startBareServer() : undefined
const real = connectToCluster(plane?.kubeconfig ?? values.kubeconfig ?? '')
const sandbox = await startSandbox()
let printed = 0
try {
  const began = performance.now()
  const report = await runRandom({
    real,
    sandbox,
    seed,
    steps: Number(values.steps),
    lanes: Number(values.lanes),
    customKinds: Number(values['custom-kinds']),
    only: values.only?.split(','),
    shrinkMs: values['shrink-ms'] === undefined ? undefined : Number(values['shrink-ms']),
    onProgress: (steps) => {
      if (steps < printed + 1000) return
      printed = steps - (steps % 1000)
      stdout.write(`${printed} steps\n`)
    },
  })
  stdout.write(printReport(report))
  stdout.write(`seed ${seed}, ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  process.exitCode = report.found.length === 0 ? 0 : 1
} finally {
  await sandbox.close()
  await real.close()
  await plane?.stop()
}
