import type { Problem } from '../yaml/diagnostic.ts'
import type { Leak, ValueFlow } from './value-flow.ts'

/** Who sees a value: people in a message, or whoever may read the status. */
export type Audience = 'people' | 'status'

/** What is said of the values of Secrets that come to where others see them, each with its place. */
export function leakProblems(
  { leaks, errors }: ValueFlow,
  {
    audience,
    sensitive = false,
  }: { readonly audience?: Audience | undefined; readonly sensitive?: boolean | undefined },
): readonly { readonly leak: Leak; readonly problem: Problem }[] {
  const told = audience === undefined || (sensitive && audience === 'people') ? [] : leaks
  const shown = told.map((leak) => ({ leak, problem: audience === 'status' ? inStatus(leak) : inMessage(leak) }))
  return [...shown, ...errors.map((leak) => ({ leak, problem: inMessage(leak) }))]
}

const HINT = 'leave it out, or give a digest of it: `$sha256(…)`'

function inStatus({ trail }: Leak): Problem {
  return { code: 'RB1141', message: `a secret value can reach the status${through(trail)}`, hint: HINT }
}

function inMessage({ trail }: Leak): Problem {
  const message = `a secret value is shown as <redacted> here${through(trail)}`
  return { severity: 'warning', code: 'RB1142', message, hint: HINT }
}

function through(trail: readonly string[]): string {
  return trail.length === 0 ? '' : `: ${trail.join(' → ')}`
}
