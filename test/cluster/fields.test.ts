import { env } from 'node:process'
import { expect } from 'chai'
import { startBareServer } from '../sandbox/contract/random/bare-server.ts'
import { connectToCluster } from '../sandbox/contract/server-under-test.ts'
import { idOf } from '../sandbox/fields/cases.ts'
import { prepareServer } from '../sandbox/fields/prepare-server.ts'
import { runCases } from '../sandbox/fields/run-cases.ts'
import { sampleOfRecordings } from '../sandbox/fields/sample.ts'
import { requireBinaries } from './shared-control-plane.ts'

const SIZE = { kinds: 20, cases: 50 }

describe('The recording of spoiled fields is current', () => {
  before(function () {
    requireBinaries(this)
  })

  it('a real kube-apiserver answers a sample as was recorded', async function () {
    this.timeout(600_000)
    const plane = await startBareServer()
    const server = connectToCluster(plane.kubeconfig)
    const outdated: string[] = []
    try {
      await prepareServer(server)
      for (const { subject, cases, recording } of sampleOfRecordings(Number(env.SEED ?? 1), SIZE)) {
        await runCases({ server, lanes: 8 }, subject, cases, (each, answer) => {
          const recorded = recording.get(idOf(each))
          if (answer !== recorded) outdated.push(`${idOf(each)}\n  recorded: ${recorded}\n  now:      ${answer}`)
        })
      }
    } finally {
      await server.close()
      await plane.stop()
    }
    expect(outdated, 'npm run record:fields -- --again').to.deep.equal([])
  })
})
