import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { mutatedSource } from '../mutants/apply-mutant.ts'
import type { Defect } from './defect.ts'

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const HOOK = join(import.meta.dirname, '../mutants/mutate-module.ts')
const TESTS = join(import.meta.dirname, '..')
/** A defect that hangs a test is noticed by the test's own deadline. */
const TEST_DEADLINE_MS = 15_000
const FILE_DEADLINE_MS = 180_000

/**
 * The first test that fails with the defect; `undefined` when none does.
 *
 * @throws Error when the defect cannot be put in, or names a test file that is not there
 */
export async function firstToSee(defect: Defect): Promise<string | undefined> {
  mutatedSource(defect)
  for (const file of defect.seenBy) {
    const test = await firstFailure(file, defect.name)
    if (test !== undefined) return `${file}: ${test}`
  }
  return undefined
}

/** The first failing test of a file, in a process of its own. With an empty name nothing is put in. */
export async function firstFailure(file: string, defect: string): Promise<string | undefined> {
  const path = join(TESTS, file)
  if (!existsSync(path)) throw new Error(`cannot run test/${file}: it is not there`)
  const flags = ['--no-config', '--require', join(TESTS, 'support/steady-random.ts'), '--bail', '--exit']
  const settings = ['--timeout', String(TEST_DEADLINE_MS), '--reporter', 'dot']
  const args = ['--import', HOOK, MOCHA, ...flags, ...settings, path]
  const { output, failed } = await runNode(args, defect)
  if (!failed) return undefined
  const [, title] = /^\s*1\) ([\s\S]*?):\n/m.exec(output) ?? []
  return title?.replaceAll(/\s+/g, ' ').trim() ?? 'its process ended with an error'
}

function runNode(args: readonly string[], defect: string): Promise<{ output: string; failed: boolean }> {
  // What is covered of a file with a defect in it says nothing of the file.
  const options = {
    env: { ...env, MUTANT: defect, NODE_OPTIONS: `--import ${HOOK}`, NODE_V8_COVERAGE: undefined },
    timeout: FILE_DEADLINE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 26,
  } as const
  return new Promise((resolve) =>
    execFile(execPath, [...args], options, (error, stdout, stderr) =>
      resolve({ output: stripVTControlCharacters(stdout + stderr), failed: error !== null }),
    ),
  )
}
