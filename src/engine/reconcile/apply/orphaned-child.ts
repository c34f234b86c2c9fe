import type { KubeClient } from '../../../core/kube/client.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { formatKey, type KubeObject } from '../../../core/kube/object.ts'
import { isOwnedBy } from '../../../core/kube/owner-reference.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import { OWNER_UID_LABEL, type Owner } from '../ownership/marks.ts'

/**
 * Whether a child has lost the reference to its owner. Either another client removed it, or the owner is being deleted with
 * `--cascade=orphan` and the watch has not delivered that yet. In the second case the child must not get the reference back: the garbage
 * collector would delete the child with its owner.
 */
export function isOrphaned(child: KubeObject, { uid }: Owner): boolean {
  return child.metadata.labels?.[OWNER_UID_LABEL] === uid && !isOwnedBy(child, uid)
}

/**
 * Asks the server whether the owner exists and is not being deleted.
 *
 * @throws TaskFailure when it is being deleted, or is gone
 */
export async function checkStays(client: KubeClient, owner: Owner, signal: AbortSignal): Promise<void> {
  const live = await client.get(owner.gvk, owner.key, { signal, metadataOnly: true })
  if (live && live.metadata.uid === owner.uid && !isTerminating(live)) return
  throw new TaskFailure('Failed', deletionMessage(owner), { retriable: true })
}

export function deletionMessage({ gvk, key }: Owner): string {
  return `${gvk.kind} ${formatKey(key)} is being deleted: nothing more is created for it`
}
