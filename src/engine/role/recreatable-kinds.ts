import type { GroupKind } from '../../core/kube/group-version-kind.ts'

/** The groups of kinds that every API server has: what the deletion of other objects sets off is unknown. */
const BUILTIN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apps',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
])

/** Kinds whose objects take data, or other objects, with them. */
const PRECIOUS: ReadonlySet<string> = new Set(['PersistentVolume', 'PersistentVolumeClaim', 'Namespace', 'StatefulSet'])

/** Why an object of a kind is never deleted to be made anew; `undefined` when it may be. */
export function recreationProblem({ group, kind }: GroupKind): string | undefined {
  if (group === 'apiextensions.k8s.io' || PRECIOUS.has(kind)) {
    return `a ${kind} is never deleted to be made anew: data or other objects would go with it`
  }
  if (!BUILTIN_GROUPS.has(group)) return `a ${kind} is never deleted to be made anew: it is not a built-in kind`
  return undefined
}
