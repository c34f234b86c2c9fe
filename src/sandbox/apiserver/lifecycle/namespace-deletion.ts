import type { KubeObject } from '../../../core/kube/object.ts'
import { withMeta } from '../write/object-meta.ts'

/** A namespace at its first DELETE: marked, and held by what stands in `spec.finalizers`. */
export function terminateNamespace(object: KubeObject, now: string): KubeObject {
  const marked = withMeta(object, { deletionTimestamp: now })
  return { ...marked, status: { ...(object.status as object), phase: 'Terminating' } }
}
