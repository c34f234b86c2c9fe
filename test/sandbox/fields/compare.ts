import { type JsonValue, jsonEquals } from '../../../src/core/base/json.ts'
import { type Case, idOf, type Subject } from './cases.ts'
import { reasonFor } from './explained.ts'
import { prepareServer } from './prepare-server.ts'
import type { Recording } from './recording.ts'
import { type Asked, runCases } from './run-cases.ts'
import { nameOf } from './subjects.ts'

/** In what two answers differ; the first that holds. */
export const CLASSES = ['status', 'reason', 'causes', 'message', 'object', 'managedFields', 'warnings'] as const
export type Class = (typeof CLASSES)[number]

export interface Difference {
  readonly kind: string
  readonly each: Case
  readonly type: Class
  readonly recorded: string
  readonly given: string
  /** Why the sandbox may differ. */
  readonly reason: string | undefined
}

/** Sends cases of a kind to a sandbox, and says where it does not answer as was recorded. */
export async function compareKind(
  asked: Asked,
  subject: Subject,
  { cases, recording }: { readonly cases: readonly Case[]; readonly recording: Recording },
): Promise<readonly Difference[]> {
  const kind = nameOf(subject)
  const found: Difference[] = []
  await prepareServer(asked.server)
  await runCases(asked, subject, cases, (each, given) => {
    const recorded = recording.get(idOf(each)) ?? ''
    const type = classOf(recorded, given)
    if (type === undefined) return
    const difference = { kind, each, type, recorded, given }
    found.push({ ...difference, reason: reasonFor(difference) })
  })
  return found
}

function classOf(recorded: string, given: string): Class | undefined {
  if (recorded === given) return undefined
  const [left, right] = [parse(recorded), parse(given)]
  return CLASSES.find((type) => !jsonEquals(left[type], right[type]))
}

/** For people: what was asked, and both answers. */
export function printDifference({ kind, each, type, recorded, given }: Difference): string {
  const asked = [kind, ...idOf(each).split('\t')].join(' | ')
  return `  ${type}: ${asked}\n    real:    ${recorded.slice(0, LONGEST)}\n    sandbox: ${given.slice(0, LONGEST)}\n`
}

const LONGEST = 900

/** Of a case that was not recorded, nothing is equal. */
function parse(text: string): Partial<Record<Class, JsonValue>> {
  return text === '' ? {} : JSON.parse(text)
}
