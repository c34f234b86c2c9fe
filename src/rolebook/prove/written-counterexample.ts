import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'
import { runTest } from '../role-test/run-test.ts'
import { type Stage, testOf } from './life.ts'
import { LAST } from './proof-case.ts'
import type { Counterexample } from './prove-role.ts'

/** The last steps of a case that only matter where a property shows after them. */
const NEEDLESS: readonly JsonValue[] = [LAST.settled, LAST.again, LAST.rest]

/** A counterexample as a role test, with the steps that it takes to fail and no others. `undefined`: no role test shows it. */
export async function roleTestOf(found: Counterexample, stage: Stage): Promise<JsonObject | undefined> {
  const { steps, violation } = found
  const until = steps.slice(0, violation.index)
  const last = { ...steps[violation.index], ...violation.check }
  const needed = until.filter(({ name }) => !NEEDLESS.includes(name ?? null))
  for (const before of [needed, until]) {
    const given = found.given as readonly unknown[] as JsonValue[]
    const body = { ...(given.length > 0 && { given }), steps: [...before, last] }
    if (await fails(body, stage)) return body
  }
  return undefined
}

async function fails(body: JsonObject, stage: Stage): Promise<boolean> {
  const { project, schemas, charts } = stage
  const { failures } = await runTest(testOf(body, stage), { project, schemas, charts })
  return failures.some(({ title }) => !title.startsWith('the step cannot be done'))
}

export interface Origin {
  /** What repeats it: `rolebook prove web --seed 7 --case 12`. */
  readonly command: string
  readonly found: Counterexample
}

/** The text of the file. */
export function printCounterexample(body: JsonObject, { command, found }: Origin): string {
  const { property, what } = found.violation
  const lines = [`Found by \`${command}\`: it does not hold that ${property}.`, what]
  const comment = lines.flatMap((line) => line.split('\n')).map((line) => `# ${line}\n`)
  return `${comment.join('')}${printYaml([body])}`
}
