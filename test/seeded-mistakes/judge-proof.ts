/** Who found the mistakes that were made in our own roles. */
export interface OwnCounts {
  readonly check: number
  readonly test: number
  readonly neither: number
}

export interface ManifestCounts {
  readonly made: number
  /** By `check`. */
  readonly found: number
  /** Roles without a mistake. */
  readonly roles: number
  readonly falseAlarms: number
  /** Charts that could not be rendered. */
  readonly lostCharts: number
}

/** What the proof must reach. */
const LEAST_FOUND = 0.95
const LEAST_MISTAKES = 300
const LEAST_ROLES = 60

/** Why the mistakes in our own roles prove too little. A proof of some roles alone, `isPart`, may have fewer mistakes. */
export function weaknessesOfOwn({ check, test, neither }: OwnCounts, isPart: boolean): readonly string[] {
  const made = check + test + neither
  return [
    ...(isPart || made >= LEAST_MISTAKES ? [] : [`${made} mistakes are fewer than ${LEAST_MISTAKES}`]),
    ...(check >= made * LEAST_FOUND ? [] : [`check finds ${share(check, made)}, less than ${share(LEAST_FOUND, 1)}`]),
  ]
}

/** Why the mistakes in manifests of others prove too little. */
export function weaknessesOfManifests(counts: ManifestCounts): readonly string[] {
  const { made, found, roles, falseAlarms, lostCharts } = counts
  return [
    ...(made >= LEAST_MISTAKES ? [] : [`${made} mistakes are fewer than ${LEAST_MISTAKES}`]),
    ...(found >= made * LEAST_FOUND ? [] : [`check finds ${share(found, made)}, less than ${share(LEAST_FOUND, 1)}`]),
    ...(roles >= LEAST_ROLES ? [] : [`${roles} roles without a mistake are fewer than ${LEAST_ROLES}`]),
    ...(falseAlarms === 0 ? [] : [`${falseAlarms} alarms are false`]),
    ...(lostCharts === 0 ? [] : [`${lostCharts} charts cannot be rendered`]),
  ]
}

export function share(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((part / whole) * 100).toFixed(1)} %`
}
