import type { KubeClient } from '../kube/client.ts'
import { isTerminating } from '../kube/finalizer.ts'
import { formatKey, type KubeObject } from '../kube/object.ts'
import { isOwnedBy } from '../kube/owner-reference.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { OWNER_UID_LABEL, type Owner } from './marks.ts'

/**
 * Whether a child of the owner has lost its owner reference. Somebody may have taken it; or the owner is deleted with
 * `--cascade=orphan`, the garbage collector has taken it, and the watch of the owner has not told yet. Then the child must not
 * get it back: the garbage collector would delete the child as soon as the owner is gone.
 */
export function isSevered(child: KubeObject, { uid }: Owner): boolean {
  return child.metadata.labels?.[OWNER_UID_LABEL] === uid && !isOwnedBy(child, uid)
}

/**
 * Asks the server whether the owner stays.
 *
 * @throws TaskFailure when it is being deleted, or is gone
 */
export async function checkStays(client: KubeClient, owner: Owner, signal: AbortSignal): Promise<void> {
  const live = await client.get(owner.gvk, owner.key, { signal, metadataOnly: true })
  if (live && live.metadata.uid === owner.uid && !isTerminating(live)) return
  throw new TaskFailure('Failed', isGoing(owner), { retriable: true })
}

export function isGoing({ gvk, key }: Owner): string {
  return `${gvk.kind} ${formatKey(key)} is being deleted: nothing more is made for it`
}
