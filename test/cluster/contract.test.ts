import { readFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import type { Answer, Step } from '../sandbox/contract/exchange.ts'
import { inParallel } from '../sandbox/contract/in-parallel.ts'
import { loadScripts } from '../sandbox/contract/load-scripts.ts'
import { runScript } from '../sandbox/contract/run-script.ts'
import { connectToCluster, type ServerUnderTest, startSandbox } from '../sandbox/contract/server-under-test.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const NAMESPACE = 'contract-live'
/**
 * Controllers of the real server act in their own time, beside the steps of a script: what differs is asked again of that
 * server, in a new namespace, and counts when it always differs. What no controller touches is the same in each run, and
 * fails them all. The sandbox is asked once.
 */
const ATTEMPTS = 3
const AT_ONCE = 6
/**
 * While a group cannot be asked, or a webhook converts nothing, a real server ends no namespace. So these topics run after
 * the others.
 */
const DISTURBING = ['api-services', 'conversion', 'conversion-failures']
const scripts = loadScripts()
const others = [...scripts.keys()].filter((topic) => !DISTURBING.includes(topic))
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
    const together = inParallel(others, AT_ONCE, (topic) => runOnBoth(topic, real))
    const apart = inParallel(DISTURBING, AT_ONCE, async (topic) => {
      await Promise.allSettled(together.values())
      return runOnBoth(topic, real)
    })
    runs = new Map([...together, ...apart])
  })
  after(async () => {
    if (real) await endConversions(real)
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
          expect(answer, 'the recording is out of date: node test/sandbox/contract/record.ts').to.deep.equal(
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
  return JSON.parse(
    readFileSync(new URL(`../sandbox/contract/recorded/${topic}.generated.json`, import.meta.url), 'utf8'),
  )
}

function agrees({ ofReal, ofSandbox }: Answers, recorded: Recording, { name, unpromised }: Step): boolean {
  const answer = unpromised === undefined ? ofReal.get(name) : recorded[name]
  return isDeepStrictEqual(ofSandbox.get(name), answer) && isDeepStrictEqual(answer, recorded[name])
}

/** Runs a script once in a sandbox, and on the real server until each of its steps has agreed once, a few times at most. */
async function runOnBoth(topic: string, real: ServerUnderTest): Promise<readonly Answers[]> {
  const steps = scripts.get(topic) ?? []
  const recorded = recordings.get(topic) ?? {}
  const ofSandbox = await runInSandbox(steps)
  const attempts: Answers[] = []
  for (let left = steps.filter(isCompared); left.length > 0 && attempts.length < ATTEMPTS; ) {
    const namespace = `${NAMESPACE}-${topic}-${attempts.length}`
    await real.createNamespace(namespace)
    const answers = { ofReal: await runScript(steps, real, namespace), ofSandbox }
    attempts.push(answers)
    left = left.filter((step) => !agrees(answers, recorded, step))
  }
  return attempts
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** The webhooks of the scripts are gone: what they would have to convert could never be listed again, nor removed. */
async function endConversions({ send }: ServerUnderTest): Promise<void> {
  const { text } = await send({ method: 'GET', path: CRDS, headers: {}, body: undefined })
  const { items } = JSON.parse(text) as CrdList
  const converted = items.filter(({ spec }) => spec.conversion?.strategy === 'Webhook')
  for (const { metadata } of converted) {
    await send({
      method: 'PATCH',
      path: `${CRDS}/${metadata.name}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { conversion: { strategy: 'None', webhook: null } } }),
    })
  }
}

interface CrdList {
  readonly items: readonly {
    readonly metadata: { readonly name: string }
    readonly spec: { readonly conversion?: { readonly strategy: string } }
  }[]
}

function isCompared({ differs }: Step): boolean {
  return differs === undefined
}

async function runInSandbox(steps: readonly Step[]): Promise<ReadonlyMap<string, Answer>> {
  const sandbox = await startSandbox()
  try {
    await sandbox.createNamespace(NAMESPACE)
    return await runScript(steps, sandbox, NAMESPACE)
  } finally {
    await sandbox.close()
  }
}
