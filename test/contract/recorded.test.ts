import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Answer } from './exchange.ts'
import { loadScripts } from './load-scripts.ts'
import { runScript } from './run-script.ts'
import { type ServerUnderTest, startSandbox } from './server-under-test.ts'

const NAMESPACE = 'contract-test'
const scripts = await loadScripts()

describe('The sandbox answers as a real kube-apiserver did', () => {
  for (const [topic, steps] of scripts) {
    describe(topic, () => {
      const recorded = JSON.parse(readFileSync(new URL(`recorded/${topic}.generated.json`, import.meta.url), 'utf8'))
      let sandbox: ServerUnderTest
      let answers: ReadonlyMap<string, Answer> = new Map()

      before(async () => {
        sandbox = await startSandbox()
        await sandbox.createNamespace(NAMESPACE)
        answers = await runScript(steps, sandbox.send, NAMESPACE)
      })
      after(() => sandbox.close())

      for (const step of steps) {
        if (step.differs !== undefined) continue
        it(step.name, () => expect(answers.get(step.name)).to.deep.equal(recorded[step.name]))
      }
    })
  }
})
