import { expect } from 'chai'
import { startBareServer } from '../sandbox/contract/random/bare-server.ts'
import { printReport } from '../sandbox/contract/random/print-report.ts'
import { runRandom } from '../sandbox/contract/random/run-random.ts'
import { connectToCluster, startSandbox } from '../sandbox/contract/server-under-test.ts'
import { requireBinaries } from './shared-control-plane.ts'

/** The proof of 10,000 steps is `npm run proof:random`. */
const OPTIONS = { seed: 20_261_121, steps: 400, lanes: 4, customKinds: 8, shrinkMs: 20_000 }

describe('Random sequences are answered alike by the sandbox and a real kube-apiserver', () => {
  before(function () {
    requireBinaries(this)
  })

  it('apply, update, patch and delete by three managers, on built-in and custom kinds', async function () {
    this.timeout(600_000)
    const plane = await startBareServer()
    const real = connectToCluster(plane.kubeconfig)
    const sandbox = await startSandbox()
    try {
      const report = await runRandom({ ...OPTIONS, real, sandbox })
      expect(report.steps).to.be.at.least(OPTIONS.steps)
      expect(report.found.length, printReport(report)).to.equal(0)
    } finally {
      await sandbox.close()
      await real.close()
      await plane.stop()
    }
  })
})
