/** Runs contract scripts in a sandbox, and prints as JSON which of their steps are answered otherwise than recorded. */
import { readFileSync } from 'node:fs'
import { argv, exit, stdout } from 'node:process'
import { type JsonValue, jsonEquals } from '../../src/base/json.ts'
import { inParallel } from '../contract/in-parallel.ts'
import { loadScripts } from '../contract/load-scripts.ts'
import { runScript } from '../contract/run-script.ts'
import { startSandbox } from '../contract/server-under-test.ts'

const NAMESPACE = 'contract-test'
/** A script that waits for what never comes has noticed, too. */
const PATIENCE_MS = 30_000
const scripts = loadScripts(argv.slice(2))
const runs = inParallel(scripts.keys(), 8, (topic) => Promise.race([failingSteps(topic), waitsInVain(topic)]))
const failing = await Promise.all(runs.values())
stdout.write(`${JSON.stringify(failing.flat())}\n`)
exit(0)

async function failingSteps(topic: string): Promise<readonly string[]> {
  const url = new URL(`../contract/recorded/${topic}.generated.json`, import.meta.url)
  const recorded: Readonly<Record<string, JsonValue>> = JSON.parse(readFileSync(url, 'utf8'))
  const steps = scripts.get(topic) ?? []
  const sandbox = await startSandbox()
  await sandbox.createNamespace(NAMESPACE)
  const answers = await runScript(steps, sandbox, NAMESPACE)
  const differs = ({ name }: { name: string }): boolean =>
    !jsonEquals(answers.get(name) as unknown as JsonValue, recorded[name])
  return steps.filter((step) => step.differs === undefined && differs(step)).map(({ name }) => `${topic}: ${name}`)
}

function waitsInVain(topic: string): Promise<readonly string[]> {
  return new Promise((resolve) => setTimeout(() => resolve([`${topic}: does not end`]), PATIENCE_MS))
}
