import { CAPABILITY_CHECKS } from './capability-checks.ts'
import type { Check, CheckPod, PodToCheck, Violation } from './check.ts'
import { HOST_CHECKS } from './host-checks.ts'
import { KERNEL_CHECKS } from './kernel-checks.ts'
import type { LevelVersion } from './policy.ts'
import { PROFILE_CHECKS } from './profile-checks.ts'
import { USER_CHECKS } from './user-checks.ts'
import { VOLUME_CHECKS } from './volume-checks.ts'

/** Those of `baseline` come first. The server reports violations in the order of the ids of the checks. */
const CHECKS: readonly Check[] = [
  ...HOST_CHECKS,
  ...VOLUME_CHECKS,
  ...CAPABILITY_CHECKS,
  ...USER_CHECKS,
  ...PROFILE_CHECKS,
  ...KERNEL_CHECKS,
].sort((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1))

function sortKey({ level, id }: Check): string {
  return `${level} ${id}`
}

/** What keeps a pod from a level of the Pod Security Standards. */
export function violationsOf(pod: PodToCheck, asked: LevelVersion): readonly Violation[] {
  return checksOf(asked).flatMap((check) => check(pod) ?? [])
}

function checksOf({ level, minor }: LevelVersion): readonly CheckPod[] {
  if (level === 'privileged') return []
  const asked = CHECKS.filter((check) => level === 'restricted' || check.level === 'baseline')
  const known = asked.map((check) => ({ ...check, check: check.versions.findLast(([since]) => since <= minor)?.[1] }))
  const overridden = known.map(({ check, overrides }) => check && overrides)
  return known.flatMap(({ id, check }) => (check === undefined || overridden.includes(id) ? [] : [check]))
}

/** With the values that are wrong. */
export function inFull(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
}

export function inShort(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ')
}
