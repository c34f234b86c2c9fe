import type { FieldSet } from '../../../core/schema/field-set.ts'
import type { MergeType } from '../../../core/schema/merge-type.ts'
import type { Comparison } from './compare-values.ts'

/** By type, and by what is ignored, so that writes to the endpoints of a kind do not displace each other's. */
const last = new WeakMap<MergeType, Map<FieldSet | undefined, Comparison>>()

/**
 * Returns the comparison of the last change of a value of the type, if that change did the same. A client that writes objects
 * of one kind mostly changes the same fields of all of them, and results are remembered by the identity of the comparison.
 */
export function sameAsLast(comparison: Comparison, type: MergeType, ignored: FieldSet | undefined): Comparison {
  const known = last.get(type) ?? new Map<FieldSet | undefined, Comparison>()
  last.set(type, known)
  const before = known.get(ignored)
  if (before && isSame(before, comparison)) return before
  known.set(ignored, comparison)
  return comparison
}

function isSame(left: Comparison, right: Comparison): boolean {
  return left.modified.equals(right.modified) && left.added.equals(right.added) && left.removed.equals(right.removed)
}
