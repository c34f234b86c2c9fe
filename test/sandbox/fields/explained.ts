import type { Case } from './cases.ts'
import type { Difference } from './compare.ts'

interface Explanation {
  /** Stands in docs/sandbox-differences.md. */
  readonly reason: string
  readonly applies: (
    kind: string,
    each: Case,
    difference: Pick<Difference, 'type' | 'recorded' | 'given'>,
  ) => boolean
}

export const EXPLAINED: readonly Explanation[] = []

/** Why the sandbox may differ there, if there is a reason. */
export function reasonFor(
  kind: string,
  each: Case,
  difference: Pick<Difference, 'type' | 'recorded' | 'given'>,
): string | undefined {
  return EXPLAINED.find(({ applies }) => applies(kind, each, difference))?.reason
}
