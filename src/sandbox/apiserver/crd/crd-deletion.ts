import type { KubeObject } from '../../../core/kube/object.ts'
import { withMeta } from '../write/object-meta.ts'
import type { CrdCondition, CustomResourceDefinition } from './custom-resource-definition.ts'

/** Holds a deleted CRD until its objects are gone. */
export const CRD_CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

/** A CRD at its first DELETE: marked, and held by a finalizer. */
export function terminateCrd(object: KubeObject, now: string): KubeObject {
  const crd = object as CustomResourceDefinition
  const { finalizers = [] } = crd.metadata
  const pending: CrdCondition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  const others = (crd.status.conditions ?? []).filter(({ type }) => type !== 'Terminating')
  const held = finalizers.includes(CRD_CLEANUP_FINALIZER) ? finalizers : [...finalizers, CRD_CLEANUP_FINALIZER]
  const marked = withMeta(crd, { deletionTimestamp: now, finalizers: held })
  return { ...marked, status: { ...crd.status, conditions: [...others, pending] } }
}
