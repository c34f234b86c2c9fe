import type { KubeObject } from '../../../core/kube/object.ts'
import type { StoredObject } from '../store/stored-object.ts'
import type { WriteRequest } from './write-request.ts'

/**
 * Objects that their next write changes in the storage, whether or not it changes a field. An apply to a custom resource stores labels,
 * annotations and lists of the metadata also when they are empty or null; the storage gives the object back without them, and the next write
 * stores it like that.
 */
const unsettled = new WeakSet<StoredObject>()

export function isUnsettled(stored: StoredObject): boolean {
  return unsettled.has(stored)
}

/** Whether an apply stores something empty with the object, which the storage leaves out when it gives the object back. */
export function leavesEmpty({ resource, subresource }: WriteRequest, applied: KubeObject, stored: KubeObject): boolean {
  if (!resource.custom || subresource !== '') return false
  return EMPTIABLE.some((name) => isEmpty(applied.metadata[name]) && stored.metadata[name] === undefined)
}

/** Null is as good as empty: it is stored, too. */
function isEmpty(part: object | null | undefined): boolean {
  return part !== undefined && Object.keys(part ?? {}).length === 0
}

const EMPTIABLE = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** Remembers what an apply has stored, when something that is empty was stored with it. */
export function rememberUnsettled(request: WriteRequest, applied: KubeObject, stored: StoredObject): void {
  if (!request.dryRun && leavesEmpty(request, applied, stored.object)) unsettled.add(stored)
}
