import { apiVersionOf, type Gvk } from './group-version-kind.ts'
import type { KubeObject, OwnerReference } from './object.ts'

/** The reference that makes `owner` the controller of an object and holds a foreground deletion until that is gone. */
export function controllerReference(owner: KubeObject, gvk: Gvk): OwnerReference {
  const { name = '', uid = '' } = owner.metadata
  return {
    apiVersion: apiVersionOf(gvk),
    kind: gvk.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

/** The reference of the controller that an object has, if any. There is at most one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true)
}

/** Whether an object names the one with this uid as an owner. */
export function isOwnedBy({ metadata }: KubeObject, uid: string): boolean {
  return metadata.ownerReferences?.some((reference) => reference.uid === uid) ?? false
}

/** Whether the garbage collector follows a reference from `child` to `owner`: never into another namespace. */
export function canOwn(owner: { readonly namespace: string }, child: { readonly namespace: string }): boolean {
  return owner.namespace === '' || owner.namespace === child.namespace
}
