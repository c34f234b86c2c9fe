import { hashJson } from '../../../core/base/hash.ts'
import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { parseDuration } from '../../../core/kube/duration.ts'
import { withoutFinalizer } from '../../../core/kube/finalizer.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { RECONCILE_PERIOD } from '../../role/reconcile-period.ts'
import {
  FINALIZER,
  type Owner,
  PAUSED_ANNOTATION,
  RECONCILE_AT_ANNOTATION,
  RECONCILE_PERIOD_ANNOTATION,
  withoutNotes,
} from '../ownership/marks.ts'
import type { WatchEntry } from '../watch-entry.ts'

const OURS = [PAUSED_ANNOTATION, RECONCILE_AT_ANNOTATION, RECONCILE_PERIOD_ANNOTATION]

/**
 * The part of a resource whose change calls for a look: everything but status, managedFields, resourceVersion, and
 * annotations that neither the role reads nor we do, or that we write. Our finalizer is in it: another client may remove it.
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

/** Whether the annotation `rolebook.dev/paused` forbids all writes for this resource. */
export function isPaused(resource: KubeObject): boolean {
  return resource.metadata.annotations?.[PAUSED_ANNOTATION] === 'true'
}

/** Milliseconds until a resource at rest is reconciled again; 0 is never. The annotation of the resource overrides its entry. */
export function periodOf({ entry, owner }: { readonly entry: WatchEntry; readonly owner: Owner }): number {
  const text = owner.resource.metadata.annotations?.[RECONCILE_PERIOD_ANNOTATION]
  const period = text === undefined ? undefined : parseDuration(text)
  if (period === undefined || (period > 0 && period < RECONCILE_PERIOD.min)) return entry.reconcilePeriod
  return Math.min(period, RECONCILE_PERIOD.max)
}
