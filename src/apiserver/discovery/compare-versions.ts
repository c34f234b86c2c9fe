const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/

/** Order of versions by preference: v2, v1, v1beta2, v1beta1, v1alpha1, then other names by the alphabet. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)]
  if (!a || !b) {
    if (a) return -1
    if (b) return 1
    return left < right ? -1 : Number(left > right)
  }
  return b.stage - a.stage || b.major - a.major || b.minor - a.minor
}

interface Rank {
  readonly stage: number
  readonly major: number
  readonly minor: number
}

function rankOf(version: string): Rank | undefined {
  const [, major, stage, minor] = VERSION.exec(version) ?? []
  if (major === undefined) return undefined
  return { stage: STAGES[stage ?? 'stable'] ?? 0, major: Number(major), minor: Number(minor ?? 0) }
}

const STAGES: Readonly<Record<string, number>> = { stable: 2, beta: 1, alpha: 0 }
