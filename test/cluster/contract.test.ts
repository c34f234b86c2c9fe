import { readFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import type { Answer, Step } from '../contract/exchange.ts'
import { inParallel } from '../contract/in-parallel.ts'
import { loadScripts } from '../contract/load-scripts.ts'
import { runScript } from '../contract/run-script.ts'
import { connectToCluster, type ServerUnderTest, startSandbox } from '../contract/server-under-test.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const NAMESPACE = 'contract-live'
/**
 * Controllers of the real server act in their own time, beside the steps of a script: what differs is asked again, in a
 * new namespace, and counts when it always differs. What no controller touches is the same in each run, and fails them all.
 */
const ATTEMPTS = 3
const scripts = loadScripts()
const recordings = new Map([...scripts.keys()].map((topic) => [topic, readRecording(topic)]))

describe('The sandbox and a real kube-apiserver give the same answers', () => {
  const began = performance.now()
  let real: ServerUnderTest
  let pairs = 0
  let differences = 0
  let explained = 0

  let runs: ReadonlyMap<string, Promise<readonly Answers[]>> = new Map()

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
      const recorded = recordings.get(topic) ?? {}
      let attempts: readonly Answers[] = []

      before(async function () {
        this.timeout(600_000)
        attempts = (await runs.get(topic)) ?? []
      })

      for (const step of steps) {
        it(step.name, () => {
          pairs++
          if (step.differs !== undefined) {
            explained++
            return
          }
          const last = attempts.at(-1)
          if (attempts.some((answers) => agrees(answers, recorded, step))) return
          differences++
          const answer = last?.ofReal.get(step.name)
          expect(last?.ofSandbox.get(step.name), 'the sandbox (actual) and the real server (expected)').to.deep.equal(
            answer,
          )
          expect(answer, 'the recording is out of date: node test/contract/record.ts').to.deep.equal(
            recorded[step.name],
          )
        })
      }
    })
  }
})

interface Answers {
  readonly ofReal: ReadonlyMap<string, Answer>
  readonly ofSandbox: ReadonlyMap<string, Answer>
}

type Recording = Readonly<Record<string, Answer>>

function readRecording(topic: string): Recording {
  return JSON.parse(readFileSync(new URL(`../contract/recorded/${topic}.generated.json`, import.meta.url), 'utf8'))
}

function agrees({ ofReal, ofSandbox }: Answers, recorded: Recording, { name, unpromised }: Step): boolean {
  const answer = unpromised === undefined ? ofReal.get(name) : recorded[name]
  return isDeepStrictEqual(ofSandbox.get(name), answer) && isDeepStrictEqual(answer, recorded[name])
}

/** Runs a script until each of its steps has agreed once, a few times at most. */
async function runOnBoth(topic: string, real: ServerUnderTest): Promise<readonly Answers[]> {
  const compared = (scripts.get(topic) ?? []).filter(({ differs }) => differs === undefined)
  const recorded = recordings.get(topic) ?? {}
  const attempts: Answers[] = []
  for (let left = compared; left.length > 0 && attempts.length < ATTEMPTS; ) {
    const answers = await askBoth(topic, real, `${NAMESPACE}-${topic}-${attempts.length}`)
    attempts.push(answers)
    left = left.filter((step) => !agrees(answers, recorded, step))
  }
  return attempts
}

async function askBoth(topic: string, real: ServerUnderTest, namespace: string): Promise<Answers> {
  const steps = scripts.get(topic) ?? []
  const sandbox = await startSandbox()
  try {
    await Promise.all([real.createNamespace(namespace), sandbox.createNamespace(namespace)])
    const ofReal = await runScript(steps, real, namespace)
    return { ofReal, ofSandbox: await runScript(steps, sandbox, namespace) }
  } finally {
    await sandbox.close()
  }
}
