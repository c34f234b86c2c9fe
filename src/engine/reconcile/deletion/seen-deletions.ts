import { hasFinalizer, isTerminating } from '../../../core/kube/finalizer.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type PropagationPolicy } from '../../../core/kube/propagation.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'
import { uidOf } from '../ownership/marks.ts'

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
