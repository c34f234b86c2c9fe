import type { Problem } from '../../../core/yaml/diagnostic.ts'
import type { Leak, ValueFlow } from './value-flow.ts'

/** Who sees a value: people in a message, or clients that may read the status. */
export type Audience = 'people' | 'status'

export interface LeakPlace {
  readonly audience?: Audience | undefined
  readonly sensitive?: boolean | undefined
  /** The file of the value: messages name the file with names that another file gives. */
  readonly file: string
}

const HINT = 'leave it out, or give a digest of it: `$sha256(…)`'

/** What is said of the values of Secrets that come to where others see them, each with its place. */
export function leakProblems(
  { leaks, errors }: ValueFlow,
  { audience, sensitive = false, file }: LeakPlace,
): readonly { readonly leak: Leak; readonly problem: Problem }[] {
  const reported = audience === undefined || (sensitive && audience === 'people') ? [] : leaks
  return [...reported, ...errors].map((leak, index) => {
    const trail = printTrail(leak.trail, file)
    const isInStatus = audience === 'status' && index < reported.length
    const problem: Problem = isInStatus
      ? { code: 'RB1141', message: `a secret value can reach the status${trail}`, hint: HINT }
      : {
          severity: 'warning',
          code: 'RB1142',
          message: `a secret value is shown as <redacted> here${trail}`,
          hint: HINT,
        }
    return { leak, problem }
  })
}

/** `: `$creds` (line 2)`: the names through which a value came, for the end of a message. */
export function printTrail(trail: Leak['trail'], here: string): string {
  const steps = trail.map(({ name, file, line }) => `\`$${name}\` (${file === here ? 'line ' : `${file}:`}${line})`)
  return steps.length === 0 ? '' : `: ${steps.join(' → ')}`
}
