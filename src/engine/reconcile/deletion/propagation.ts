import { hasFinalizer, isTerminating } from '../../../core/kube/finalizer.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import { isOwnedBy } from '../../../core/kube/owner-reference.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type PropagationPolicy } from '../../../core/kube/propagation.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'
import { applyEntryOf, FIELD_MANAGER, type Owner, PROPAGATION_ANNOTATION, uidOf } from '../ownership/ownership.ts'

/**
 * What happens to the children of a terminating resource. `Unknown`: it may have been deleted with `--cascade=orphan`. In doubt, children
 * stay.
 */
export type Propagation = PropagationPolicy | 'Unknown'

const PROPAGATIONS: readonly Propagation[] = ['Background', 'Foreground', 'Orphan', 'Unknown']

/** The policy in the annotation of a resource; `undefined` if it has none of its own. */
export function notedPropagation({ uid, resource }: Owner): Propagation | undefined {
  const [noted, word] = (resource.metadata.annotations?.[PROPAGATION_ANNOTATION] ?? '').split(' ')
  return noted === uid ? (PROPAGATIONS.find((one) => one === word) ?? 'Unknown') : undefined
}

/** The annotation that records a policy. */
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

/** Whether children stay that the garbage collector cannot reach. */
export function keepsChildren(propagation: Propagation | undefined): boolean {
  return propagation === 'Orphan' || propagation === 'Unknown'
}

/** Milliseconds by which the garbage collector may be behind. It may not know references that are younger. */
const COLLECTOR_LAG = 60_000

/**
 * Concludes the policy of a deletion that was not seen from the children that the garbage collector can reach. With `Orphan`, it removes
 * the references of all dependents before it removes its finalizer from the owner. So a child without its reference shows that children
 * stay, and a child with its reference shows that they do not.
 */
export function propagationBy(children: readonly KubeObject[], { uid, resource }: Owner): Propagation {
  if (!children.every((child) => isOwnedBy(child, uid))) return 'Orphan'
  const known = Date.parse(resource.metadata.deletionTimestamp ?? '') - COLLECTOR_LAG
  return children.some((child) => heldSince(child) < known) ? 'Background' : 'Unknown'
}

/** When a child had its reference at the latest: at our last apply. Milliseconds since 1970. */
function heldSince(child: KubeObject): number {
  const { time } = applyEntryOf(child, FIELD_MANAGER) ?? {}
  return time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time)
}

interface SeenDeletion {
  readonly uid: string
  readonly policy: PropagationPolicy
}

/**
 * The policies with which the resources of one kind were deleted, as far as they were seen. The API server sets the `deletionTimestamp` and
 * the finalizer `orphan` in one write, so the first event of a deletion that a watch delivers shows the policy. A list does not show it: the
 * finalizer may have been removed before.
 */
export class SeenDeletions {
  readonly #seen = new Map<string, SeenDeletion>()

  /** To be called with each event of a resource, before the event is used for anything else. */
  note(event: CacheEvent): void {
    const { object } = event
    if (event.type === 'deleted' || !isTerminating(object)) return
    const isBeginning = event.type === 'updated' && !event.listed && !isTerminating(event.old)
    const policy = policyIn(object)
    if (policy === 'Orphan' || isBeginning) this.#see(object, policy)
  }

  policyOf(key: ObjectKey, uid: string): PropagationPolicy | undefined {
    const seen = this.#seen.get(formatKey(key))
    return seen?.uid === uid ? seen.policy : undefined
  }

  /** Forgets a resource that is gone. */
  forget(key: ObjectKey): void {
    this.#seen.delete(formatKey(key))
  }

  #see(object: KubeObject, policy: PropagationPolicy): void {
    this.#seen.set(formatKey(keyOf(object)), { uid: uidOf(object), policy })
  }
}

/** The policy of a deletion that has just begun. */
function policyIn(object: KubeObject): PropagationPolicy {
  if (hasFinalizer(object, ORPHAN_FINALIZER)) return 'Orphan'
  return hasFinalizer(object, FOREGROUND_FINALIZER) ? 'Foreground' : 'Background'
}
