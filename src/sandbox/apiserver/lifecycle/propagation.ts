import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type PropagationPolicy } from '../../../core/kube/propagation.ts'

/** Kinds whose dependents stay by default, as they always did. */
const ORPHANS_BY_DEFAULT = ['batch/jobs', '/replicationcontrollers']

export function defaultPolicy(table: string): PropagationPolicy | undefined {
  return ORPHANS_BY_DEFAULT.includes(table) ? 'Orphan' : undefined
}

/** The finalizers of an object when it is deleted with a policy; the very list when nothing changes. */
export function finalizersForPolicy(
  finalizers: readonly string[],
  policy: PropagationPolicy | undefined,
): readonly string[] {
  const wanted = wantedFinalizer(finalizers, policy)
  const others = finalizers.filter((name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER)
  const updated = wanted === undefined ? others : [...others, wanted]
  const isSame = updated.length === finalizers.length && updated.every((name) => finalizers.includes(name))
  return isSame ? finalizers : updated
}

/** A policy given with the request wins over a finalizer that is there; without both, dependents go in the background. */
function wantedFinalizer(finalizers: readonly string[], policy: PropagationPolicy | undefined): string | undefined {
  if (policy === 'Orphan') return ORPHAN_FINALIZER
  if (policy === 'Foreground') return FOREGROUND_FINALIZER
  if (policy === 'Background') return undefined
  return finalizers.find((name) => name === ORPHAN_FINALIZER || name === FOREGROUND_FINALIZER)
}
