import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Answer, Step } from './exchange.ts'
import { loadScripts } from './load-scripts.ts'
import { runScript } from './run-script.ts'
import { startSandbox } from './server-under-test.ts'

const NAMESPACE = 'contract-test'

describe('The sandbox answers as a real kube-apiserver did', () => {
  for (const [topic, steps] of loadScripts()) {
    describe(topic, () => {
      const recorded = readRecording(topic)
      let answers: ReadonlyMap<string, Answer> = new Map()

      before(async () => {
        answers = await runInSandbox(steps)
      })

      for (const step of steps) {
        if (step.differs !== undefined) continue
        it(step.name, () => expect(answers.get(step.name)).to.deep.equal(recorded[step.name]))
      }
    })
  }
})

async function runInSandbox(steps: readonly Step[]): Promise<ReadonlyMap<string, Answer>> {
  const sandbox = await startSandbox()
  try {
    await sandbox.createNamespace(NAMESPACE)
    return await runScript(steps, sandbox, NAMESPACE)
  } finally {
    await sandbox.close()
  }
}

function readRecording(topic: string): Readonly<Record<string, Answer>> {
  return JSON.parse(readFileSync(new URL(`recorded/${topic}.generated.json`, import.meta.url), 'utf8'))
}
