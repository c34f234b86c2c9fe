import { isTerminating } from '../kube/finalizer.ts'
import type { KubeObject } from '../kube/object.ts'
import { isOwnedBy } from '../kube/owner-reference.ts'
import type { PropagationPolicy } from '../kube/propagation.ts'
import { applyEntryOf, FIELD_MANAGER, type Owner, PROPAGATION_ANNOTATION } from './marks.ts'

/**
 * What is to become of the children of a resource that goes. `Unknown`: its deletion may have been one with
 * `--cascade=orphan`. Where deletion is in doubt, children stay.
 */
export type Propagation = PropagationPolicy | 'Unknown'

const PROPAGATIONS: readonly Propagation[] = ['Background', 'Foreground', 'Orphan', 'Unknown']

/** What is written down on a resource. `undefined`: nothing that is meant for it. */
export function notedPropagation({ uid, resource }: Owner): Propagation | undefined {
  const [noted, word] = (resource.metadata.annotations?.[PROPAGATION_ANNOTATION] ?? '').split(' ')
  return noted === uid ? (PROPAGATIONS.find((one) => one === word) ?? 'Unknown') : undefined
}

/** The annotation that says it. */
export function propagationNote({ uid }: Owner, propagation: Propagation): Readonly<Record<string, string>> {
  return { [PROPAGATION_ANNOTATION]: `${uid} ${propagation}` }
}

/** The policy with which the resource is being deleted; `undefined` if it is not being deleted. */
export function propagationOf(context: {
  readonly owner: Owner
  readonly memory: { readonly propagation: Propagation | undefined }
}): Propagation | undefined {
  return isTerminating(context.owner.resource) ? (context.memory.propagation ?? 'Unknown') : undefined
}

/** Whether children stay that only the engine would remove. */
export function keepsChildren(propagation: Propagation | undefined): boolean {
  return propagation === 'Orphan' || propagation === 'Unknown'
}

/** Milliseconds by which the garbage collector may be behind: what is younger may not have been known to it. */
const COLLECTOR_LAG = 60_000

/**
 * What the garbage collector has left of a deletion that was not seen, read off the children that it can reach. It takes its
 * references off all dependents before it takes its finalizer off their owner: one that lost it shows that the children were
 * to stay, and one that has kept it, that they were not.
 */
export function propagationBy(children: readonly KubeObject[], { uid, resource }: Owner): Propagation {
  if (!children.every((child) => isOwnedBy(child, uid))) return 'Orphan'
  const known = Date.parse(resource.metadata.deletionTimestamp ?? '') - COLLECTOR_LAG
  return children.some((child) => heldSince(child) < known) ? 'Background' : 'Unknown'
}

/** A reference came with an apply of ours at the latest. Milliseconds since 1970. */
function heldSince(child: KubeObject): number {
  const { time } = applyEntryOf(child, FIELD_MANAGER) ?? {}
  return time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time)
}
