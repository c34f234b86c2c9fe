import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Answer } from './exchange.ts'
import { inParallel } from './in-parallel.ts'
import { loadScripts } from './load-scripts.ts'
import { runScript } from './run-script.ts'
import { startSandbox } from './server-under-test.ts'

const NAMESPACE = 'contract-test'
const scripts = loadScripts()

describe('The sandbox answers as a real kube-apiserver did', () => {
  let runs: ReadonlyMap<string, Promise<ReadonlyMap<string, Answer>>> = new Map()
  // Most of the time, scripts wait for their watches: side by side.
  before(function () {
    this.timeout(60_000)
    runs = inParallel(scripts.keys(), 16, runInSandbox)
  })

  for (const [topic, steps] of scripts) {
    describe(topic, () => {
      const recorded = JSON.parse(readFileSync(new URL(`recorded/${topic}.generated.json`, import.meta.url), 'utf8'))
      let answers: ReadonlyMap<string, Answer> = new Map()

      before(async function () {
        this.timeout(300_000)
        answers = (await runs.get(topic)) ?? answers
      })

      for (const step of steps) {
        if (step.differs !== undefined) continue
        it(step.name, () => expect(answers.get(step.name)).to.deep.equal(recorded[step.name]))
      }
    })
  }
})

async function runInSandbox(topic: string): Promise<ReadonlyMap<string, Answer>> {
  const sandbox = await startSandbox()
  try {
    await sandbox.createNamespace(NAMESPACE)
    return await runScript(scripts.get(topic) ?? [], sandbox, NAMESPACE)
  } finally {
    await sandbox.close()
  }
}
