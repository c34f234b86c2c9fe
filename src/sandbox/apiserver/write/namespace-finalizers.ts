import type { KubeObject } from '../../../core/kube/object.ts'

/** Namespaces are held by finalizers in their spec, which only `/finalize` changes. */
export const NAMESPACES = '/namespaces'

export function specFinalizersOf({ spec }: KubeObject): readonly string[] {
  return (spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []
}

/** `/finalize` lets everything through but the status. */
export function keepStatus(object: KubeObject, old: KubeObject): KubeObject {
  return { ...object, status: old.status } as KubeObject
}
