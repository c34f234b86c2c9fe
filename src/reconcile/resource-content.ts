import { hashJson } from '../base/hash.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { withoutFinalizer } from '../kube/finalizer.ts'
import type { KubeObject } from '../kube/object.ts'
import { FINALIZER, PAUSED_ANNOTATION, RECONCILE_AT_ANNOTATION, RECONCILE_PERIOD_ANNOTATION } from './marks.ts'

const OURS = [PAUSED_ANNOTATION, RECONCILE_AT_ANNOTATION, RECONCILE_PERIOD_ANNOTATION]

/**
 * The part of a resource whose change runs its role: everything but status, managedFields, resourceVersion, our finalizer,
 * and annotations that neither the role reads nor we do.
 */
export function contentOf(resource: KubeObject, annotationsRead: readonly string[] | 'all'): JsonObject {
  const { status: _status, metadata, ...rest } = resource
  const { managedFields: _managedFields, resourceVersion: _resourceVersion, ...kept } = metadata
  const finalizers = withoutFinalizer(resource, FINALIZER)
  const annotations = pick(metadata.annotations ?? {}, annotationsRead)
  return { ...rest, metadata: { ...kept, finalizers, annotations } as JsonValue }
}

export function contentHash(resource: KubeObject, annotationsRead: readonly string[] | 'all'): string {
  return hashJson(contentOf(resource, annotationsRead))
}

function pick(annotations: { readonly [key: string]: string }, read: readonly string[] | 'all'): JsonObject {
  if (read === 'all') return annotations
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => read.includes(key) || OURS.includes(key)))
}
