import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { mutatedSource } from './apply-mutant.ts'
import type { Mutant } from './mutants.ts'

const run = promisify(execFile)
const HOOK = join(import.meta.dirname, 'mutate-module.ts')
const PROGRAM = join(import.meta.dirname, 'run-topics.ts')
const PATIENCE_MS = 90_000

/**
 * The contract tests of its topics that notice the mutant, in a process of their own.
 *
 * @throws Error when the mutant does not apply
 */
export async function noticedBy(mutant: Mutant): Promise<readonly string[]> {
  mutatedSource(mutant)
  return failingSteps(mutant.topics, mutant.name)
}

/** Steps of contract scripts that the sandbox, perhaps with a defect, answers otherwise than recorded. */
export async function failingSteps(topics: readonly string[], mutant = ''): Promise<readonly string[]> {
  const options = { env: { ...env, MUTANT: mutant }, timeout: PATIENCE_MS, maxBuffer: 2 ** 26 }
  const { stdout } = await run(execPath, ['--import', HOOK, PROGRAM, ...topics], options)
  return JSON.parse(stdout)
}
