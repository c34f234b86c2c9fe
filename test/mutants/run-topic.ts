/** Runs one contract script in a sandbox, and prints as JSON which of its steps are answered otherwise than recorded. */
import { readFileSync } from 'node:fs'
import { argv, exit, stdout } from 'node:process'
import { type JsonValue, jsonEquals } from '../../src/core/base/json.ts'
import type { Send, Step } from '../sandbox/contract/exchange.ts'
import { loadScripts } from '../sandbox/contract/load-scripts.ts'
import { runScript } from '../sandbox/contract/run-script.ts'
import { startSandbox } from '../sandbox/contract/server-under-test.ts'

const NAMESPACE = 'contract-test'
/** Tells who sends a request which step it is of. */
const STEP = 'x-step'
/** Without a defect, nothing is asked for half as often until it has come about. */
const MOST_ATTEMPTS = 50

class InVain extends Error {}

const [, , topic = ''] = argv
const steps = loadScripts([topic]).get(topic) ?? []
const sandbox = await startSandbox()
await sandbox.createNamespace(NAMESPACE)
stdout.write(`${JSON.stringify(await differing())}\n`)
exit(0)

async function differing(): Promise<readonly string[]> {
  const url = new URL(`../sandbox/contract/recorded/${topic}.generated.json`, import.meta.url)
  const recorded: Readonly<Record<string, JsonValue>> = JSON.parse(readFileSync(url, 'utf8'))
  try {
    const answers = await runScript(steps.map(signed), { ...sandbox, send: impatient(sandbox.send) }, NAMESPACE)
    const differs = ({ name }: Step): boolean => !jsonEquals(answers.get(name) as unknown as JsonValue, recorded[name])
    return steps.filter((step) => step.differs === undefined && differs(step)).map(({ name }) => name)
  } catch (error) {
    if (error instanceof InVain) return [error.message]
    throw error
  }
}

function signed(step: Step): Step {
  return { ...step, headers: { ...step.headers, [STEP]: encodeURIComponent(step.name) } }
}

/** A step that waits for what never comes has noticed, too: it ends the script. */
function impatient(inner: Send): Send {
  const attempts = new Map<string, number>()
  return (request) => {
    const { [STEP]: step = '', ...headers } = request.headers
    const count = (attempts.get(step) ?? 0) + 1
    attempts.set(step, count)
    if (count > MOST_ATTEMPTS) throw new InVain(decodeURIComponent(step))
    return inner({ ...request, headers })
  }
}
