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
  const [, major, stage = 'stable', minor = '0'] = VERSION.exec(version) ?? []
  if (major === undefined) return undefined
  return { stage: STAGES.indexOf(stage), major: Number(major), minor: Number(minor) }
}

const STAGES = ['alpha', 'beta', 'stable']
