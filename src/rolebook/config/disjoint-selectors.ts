import type { LabelRequirement, LabelSelector } from '../../core/kube/label-selector.ts'

/**
 * Whether no labels can satisfy both selectors, as far as single keys can prove it. `false` means "perhaps not": what cannot
 * be proved counts as an overlap.
 */
export function areDisjoint(left: LabelSelector | undefined, right: LabelSelector | undefined): boolean {
  const others = requirementsOf(right)
  return requirementsOf(left).some((one) => others.some((other) => one.key === other.key && exclude(one, other)))
}

function requirementsOf(selector: LabelSelector | undefined): readonly LabelRequirement[] {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {}
  const equalities = Object.entries(matchLabels).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value] }),
  )
  return [...equalities, ...matchExpressions]
}

/** Whether no value of one key, nor its absence, satisfies both. */
function exclude(one: LabelRequirement, other: LabelRequirement): boolean {
  return excludes(one, other) || excludes(other, one)
}

function excludes({ operator, values = [] }: LabelRequirement, other: LabelRequirement): boolean {
  if (operator === 'DoesNotExist') return other.operator === 'Exists' || other.operator === 'In'
  if (operator !== 'In') return false
  const others = new Set(other.values)
  if (other.operator === 'In') return values.every((value) => !others.has(value))
  return other.operator === 'NotIn' && values.every((value) => others.has(value))
}
