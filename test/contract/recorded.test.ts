import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import type { Answer } from './exchange.ts'
import { inParallel } from './in-parallel.ts'
import { loadScripts } from './load-scripts.ts'
import { runScript } from './run-script.ts'
import { startSandbox } from './server-under-test.ts'

const NAMESPACE = 'contract-test'
/**
 * Scripts run in real time: on a busy machine, a second may pass between two steps that belong to one. Only what the
 * clock decides can differ in one run and agree in the next; anything else differs in each, and counts.
 */
const ATTEMPTS = 3
const scripts = loadScripts()
const recordings = new Map([...scripts.keys()].map((topic) => [topic, readRecording(topic)]))

type Answers = ReadonlyMap<string, Answer>
type Recording = Readonly<Record<string, Answer>>

describe('The sandbox answers as a real kube-apiserver did', () => {
  let runs: ReadonlyMap<string, Promise<Answers>> = new Map()
  // Most of the time, scripts wait for their watches: side by side.
  before(function () {
    this.timeout(60_000)
    runs = inParallel(scripts.keys(), 16, runUntilAgreed)
  })

  for (const [topic, steps] of scripts) {
    describe(topic, () => {
      const recorded = recordings.get(topic) ?? {}
      let answers: Answers = new Map()

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

/** Of each step, an answer that agrees, if there was one in a few runs of the script. */
async function runUntilAgreed(topic: string): Promise<Answers> {
  const recorded = recordings.get(topic) ?? {}
  const agreed = new Map<string, Answer>()
  for (let attempt = 1; ; attempt++) {
    const answers = await runInSandbox(topic)
    for (const [step, answer] of answers) if (isDeepStrictEqual(answer, recorded[step])) agreed.set(step, answer)
    const differs = (scripts.get(topic) ?? []).some((step) => step.differs === undefined && !agreed.has(step.name))
    if (!differs || attempt === ATTEMPTS) return new Map([...answers, ...agreed])
  }
}

async function runInSandbox(topic: string): Promise<Answers> {
  const sandbox = await startSandbox()
  try {
    await sandbox.createNamespace(NAMESPACE)
    return await runScript(scripts.get(topic) ?? [], sandbox, NAMESPACE)
  } finally {
    await sandbox.close()
  }
}

function readRecording(topic: string): Recording {
  return JSON.parse(readFileSync(new URL(`recorded/${topic}.generated.json`, import.meta.url), 'utf8'))
}
