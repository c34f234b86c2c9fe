import type { KubeObject } from '../../kube/object.ts'
import { withMeta } from './object-meta.ts'

/** Namespaces are held by finalizers in their spec, which only `/finalize` changes. */
export const NAMESPACES = '/namespaces'

export function specFinalizersOf({ spec }: KubeObject): readonly string[] {
  return (spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []
}

/** What `/finalize` lets through. */
export function keepAllButSpecFinalizers(object: KubeObject, old: KubeObject): KubeObject {
  const { managedFields, resourceVersion } = object.metadata
  const finalizers = specFinalizersOf(object)
  const { finalizers: _old, ...spec } = (old.spec ?? {}) as { readonly finalizers?: readonly string[] }
  const kept = withMeta(old, { managedFields, resourceVersion })
  return { ...kept, spec: finalizers.length > 0 ? { ...spec, finalizers } : spec }
}
