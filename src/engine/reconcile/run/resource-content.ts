import { hashJson } from '../../../core/base/hash.ts'
import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { withoutFinalizer } from '../../../core/kube/finalizer.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import {
  FINALIZER,
  PAUSED_ANNOTATION,
  RECONCILE_AT_ANNOTATION,
  RECONCILE_PERIOD_ANNOTATION,
  withoutNotes,
} from '../ownership/marks.ts'

const OURS = [PAUSED_ANNOTATION, RECONCILE_AT_ANNOTATION, RECONCILE_PERIOD_ANNOTATION]

/**
 * The part of a resource whose change calls for a look: everything but status, managedFields, resourceVersion, and
 * annotations that neither the role reads nor we do, or that we write. Our finalizer is in it: somebody may take it away.
 */
export function contentOf(resource: KubeObject, annotationsRead: readonly string[] | 'all'): JsonObject {
  const { status: _status, metadata, ...rest } = withoutNotes(resource)
  const { managedFields: _managedFields, resourceVersion: _resourceVersion, ...kept } = metadata
  const annotations = pick(metadata.annotations ?? {}, annotationsRead)
  return { ...rest, metadata: { ...kept, annotations } as JsonValue }
}

/** The hash of the part whose change runs the role: the same without our finalizer, which a run may add itself. */
export function contentHash(resource: KubeObject, annotationsRead: readonly string[] | 'all'): string {
  const finalizers = withoutFinalizer(resource, FINALIZER)
  return hashJson(contentOf({ ...resource, metadata: { ...resource.metadata, finalizers } }, annotationsRead))
}

function pick(annotations: { readonly [key: string]: string }, read: readonly string[] | 'all'): JsonObject {
  if (read === 'all') return annotations
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => read.includes(key) || OURS.includes(key)))
}
