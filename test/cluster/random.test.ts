import { env, stdout } from 'node:process'
import { expect } from 'chai'
import { startBareServer } from '../contract/random/bare-server.ts'
import { printReport } from '../contract/random/print-report.ts'
import { runRandom } from '../contract/random/run-random.ts'
import { connectToCluster, type ServerUnderTest, startSandbox } from '../contract/server-under-test.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { requireBinaries } from './shared-control-plane.ts'

const STEPS = 1000
/** The same every time, so that a change is judged by what it changes. `SEED=…` takes another. */
const USUAL_SEED = 20261121
/** Kinds whose differences are all mended; `npm run proof:random` takes every kind, and new seeds. */
const SETTLED = [
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'PodTemplate',
  'Deployment',
  'CronJob',
  'HorizontalPodAutoscaler',
]

describe('Random objects and requests', function () {
  this.timeout(600_000)
  let plane: ControlPlane | undefined
  let real: ServerUnderTest | undefined
  let sandbox: ServerUnderTest | undefined

  before(async function () {
    requireBinaries(this)
    plane = await startBareServer()
    real = connectToCluster(plane.kubeconfig)
    sandbox = await startSandbox()
  })
  after(async () => {
    await sandbox?.close()
    await real?.close()
    await plane?.stop()
  })

  it('are answered alike by the sandbox and by a real kube-apiserver', async () => {
    if (!real || !sandbox) throw new Error('no servers')
    const seed = Number(env.SEED ?? USUAL_SEED)
    const report = await runRandom({ real, sandbox, seed, steps: STEPS, only: SETTLED })
    stdout.write(`      seed ${seed}: ${report.steps} steps in ${report.sequences} sequences\n`)
    expect(report.found.length, printReport(report)).to.equal(0)
  })
})
