import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { mutatedSource } from './apply-mutant.ts'
import type { Mutant } from './mutant.ts'

const run = promisify(execFile)
const HOOK = join(import.meta.dirname, 'mutate-module.ts')
const PROGRAM = join(import.meta.dirname, 'run-topic.ts')
const PATIENCE_MS = 120_000

/** What the sandbox answers otherwise than recorded although nothing was put in, by topic. */
export type Baseline = ReadonlyMap<string, readonly string[]>

/**
 * The first step of the mutant's topics that notices it; `undefined` when none does.
 *
 * @throws Error when the mutant does not apply
 */
export async function firstToNotice(mutant: Mutant, baseline: Baseline = new Map()): Promise<string | undefined> {
  mutatedSource(mutant)
  for (const topic of mutant.topics) {
    const known = baseline.get(topic) ?? []
    const step = (await failingSteps(topic, mutant.name)).find((name) => !known.includes(name))
    if (step !== undefined) return `${topic}: ${step}`
  }
  return undefined
}

/** Steps of a contract script that the sandbox, perhaps with a defect, answers otherwise than recorded; in its own process. */
export async function failingSteps(topic: string, mutant = ''): Promise<readonly string[]> {
  // What is covered of a file with a defect in it says nothing of the file.
  const options = {
    env: { ...env, MUTANT: mutant, NODE_V8_COVERAGE: undefined },
    timeout: PATIENCE_MS,
    maxBuffer: 2 ** 26,
  }
  const { stdout } = await run(execPath, ['--import', HOOK, PROGRAM, topic], options)
  return JSON.parse(stdout)
}
