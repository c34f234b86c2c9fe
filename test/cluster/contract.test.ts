import { readFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { expect } from 'chai'
import type { Answer } from '../contract/exchange.ts'
import { inParallel } from '../contract/in-parallel.ts'
import { loadScripts } from '../contract/load-scripts.ts'
import { runScript } from '../contract/run-script.ts'
import { connectToCluster, type ServerUnderTest, startSandbox } from '../contract/server-under-test.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const NAMESPACE = 'contract-live'
const scripts = loadScripts()

describe('The sandbox and a real kube-apiserver give the same answers', () => {
  const began = performance.now()
  let real: ServerUnderTest
  let pairs = 0
  let differences = 0
  let explained = 0

  let runs: ReadonlyMap<string, Promise<Answers>> = new Map()

  before(async function () {
    const plane = await sharedControlPlane(this)
    // Scripts ask for versions that are long gone.
    await plane.compact()
    real = connectToCluster(plane.kubeconfig)
    runs = inParallel(scripts.keys(), 6, (topic) => runOnBoth(topic, real))
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
      let answers: Answers = { ofReal: new Map(), ofSandbox: new Map() }

      before(async function () {
        this.timeout(300_000)
        answers = (await runs.get(topic)) ?? answers
      })

      for (const { name, differs } of steps) {
        it(name, () => {
          pairs++
          if (differs !== undefined) {
            explained++
            return
          }
          const answer = answers.ofReal.get(name)
          expect(answer, 'the recording is out of date: node test/contract/record.ts').to.deep.equal(recorded[name])
          differences++
          expect(answers.ofSandbox.get(name), 'the sandbox (actual) and the real server (expected)').to.deep.equal(
            answer,
          )
          differences--
        })
      }
    })
  }
})

interface Answers {
  readonly ofReal: ReadonlyMap<string, Answer>
  readonly ofSandbox: ReadonlyMap<string, Answer>
}

async function runOnBoth(topic: string, real: ServerUnderTest): Promise<Answers> {
  const steps = scripts.get(topic) ?? []
  const namespace = `${NAMESPACE}-${topic}`
  const sandbox = await startSandbox()
  try {
    await Promise.all([real.createNamespace(namespace), sandbox.createNamespace(namespace)])
    const ofReal = await runScript(steps, real, namespace)
    return { ofReal, ofSandbox: await runScript(steps, sandbox, namespace) }
  } finally {
    await sandbox.close()
  }
}
