import { readFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { expect } from 'chai'
import type { Answer } from '../contract/exchange.ts'
import { loadScripts } from '../contract/load-scripts.ts'
import { runScript } from '../contract/run-script.ts'
import { connectToCluster, type ServerUnderTest, startSandbox } from '../contract/server-under-test.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const NAMESPACE = 'contract-live'
const scripts = await loadScripts()

describe('The sandbox and a real kube-apiserver give the same answers', () => {
  const began = performance.now()
  let real: ServerUnderTest
  let pairs = 0
  let differences = 0
  let explained = 0

  before(async function () {
    real = connectToCluster((await sharedControlPlane(this)).kubeconfig)
  })
  after(async () => {
    await real?.close()
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    stdout.write(`\n  ${pairs} pairs, ${differences} differences, ${explained} explained ones, ${seconds} s\n`)
  })

  for (const [topic, steps] of scripts) {
    describe(topic, () => {
      const recorded = JSON.parse(
        readFileSync(new URL(`../contract/recorded/${topic}.generated.json`, import.meta.url), 'utf8'),
      )
      let ofReal: ReadonlyMap<string, Answer> = new Map()
      let ofSandbox: ReadonlyMap<string, Answer> = new Map()

      before(async function () {
        this.timeout(120_000)
        const sandbox = await startSandbox()
        const namespace = `${NAMESPACE}-${topic}`
        try {
          await Promise.all([real.createNamespace(namespace), sandbox.createNamespace(namespace)])
          ofReal = await runScript(steps, real.send, namespace)
          ofSandbox = await runScript(steps, sandbox.send, namespace)
        } finally {
          await sandbox.close()
        }
      })

      for (const { name, differs } of steps) {
        it(name, () => {
          pairs++
          if (differs !== undefined) {
            explained++
            return
          }
          const answer = ofReal.get(name)
          expect(answer, 'the recording is out of date: node test/contract/record.ts').to.deep.equal(recorded[name])
          differences++
          expect(ofSandbox.get(name), 'the sandbox (actual) and the real server (expected)').to.deep.equal(answer)
          differences--
        })
      }
    })
  }
})
