import { formatGroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import {
  formatKey,
  type KubeObject,
  keyOf,
  type ManagedFieldsEntry,
  type ObjectKey,
} from '../../../core/kube/object.ts'

/** The field manager of all that is ensured. It must never change: under another name, both names would own every field. */
export const FIELD_MANAGER = 'rolebook'

/** Begins the field managers of `patch` tasks. */
export const PATCH_MANAGER_PREFIX = 'rolebook-patch-'

/** Begins all labels and annotations that the engine uses. */
export const MARKS_PREFIX = 'rolebook.dev/'

/** On every child: the uid of its owner. Informers of child kinds select on it. */
export const OWNER_UID_LABEL = 'rolebook.dev/owner-uid'
/** On every object in which a `patch` task holds fields. */
export const PATCHED_LABEL = 'rolebook.dev/patched'
/** On every child: `Kind.group/namespace/name` of its owner. */
export const OWNER_ANNOTATION = 'rolebook.dev/owner'
/** On every child: namespace and id of the installation that made it. */
export const OPERATOR_ANNOTATION = 'rolebook.dev/operator'
/** On every child: the keyed hash of what was sent. */
export const APPLIED_ANNOTATION = 'rolebook.dev/applied'
/** On a child that outlives its owner. */
export const RETAIN_ANNOTATION = 'rolebook.dev/retain'

/**
 * On a child of a task whose `adopt` names managers: their names, as they were when it was last applied. What they held until
 * then was taken over; what they set later is theirs.
 */
export const ADOPT_FROM_ANNOTATION = 'rolebook.dev/adopt-from'

/** On a child that `finalize` tasks made: it goes after all the others. */
export const FINALIZE_ANNOTATION = 'rolebook.dev/finalize'
/**
 * On a terminating resource whose `finalize` tasks are done, with its uid. While its objects are being removed, the tasks must not run
 * again, even after a restart.
 */
export const FINALIZED_ANNOTATION = 'rolebook.dev/finalized'
/**
 * On a terminating resource: its uid and a `Propagation`, such as `<uid> Orphan`. The engine writes it as soon as it sees the deletion,
 * because the garbage collector soon removes the finalizer `orphan`, which would say the same. A value with another uid (the resource was
 * copied or restored) counts as none, and an unknown word as `Unknown`. A person who knows what was meant may write it, too.
 */
export const PROPAGATION_ANNOTATION = 'rolebook.dev/propagation-policy'

/**
 * On a resource: `uid`, its own, and `jobs`, a hash of each Job that was made with a time to live or was seen complete and is
 * gone. Such a Job is not made again while its hash stays the same. `unseen` names those whose end no operator has seen, from
 * when they are made until it is seen or, once they are gone, was said to be in doubt. One that fails, or that the operator
 * removes, stands here no more. What cannot be read, or has another uid, counts as nothing; without `unseen` no end is in doubt.
 */
export const JOBS_ANNOTATION = 'rolebook.dev/jobs'

export const FINALIZER = 'rolebook.dev/finalizer'

/** The annotations with which people control the engine. There are no others. */
export const PAUSED_ANNOTATION = 'rolebook.dev/paused'
export const RECONCILE_AT_ANNOTATION = 'rolebook.dev/reconcile-at'
export const RECONCILE_PERIOD_ANNOTATION = 'rolebook.dev/reconcile-period'

/** What the engine itself writes down on a resource. No role sees it: one that copies all annotations would run on it for ever. */
const NOTES: readonly string[] = [FINALIZED_ANNOTATION, PROPAGATION_ANNOTATION, JOBS_ANNOTATION]

export function withoutNotes(resource: KubeObject): KubeObject {
  const { annotations } = resource.metadata
  if (!annotations || !NOTES.some((note) => Object.hasOwn(annotations, note))) return resource
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !NOTES.includes(key)))
  const { annotations: _annotations, ...metadata } = resource.metadata
  return { ...resource, metadata: Object.keys(kept).length === 0 ? metadata : { ...metadata, annotations: kept } }
}

/** The resource on whose behalf a run acts. */
export interface Owner {
  readonly gvk: Gvk
  readonly key: ObjectKey
  readonly uid: string
  readonly resource: KubeObject
}

export function ownerOf(resource: KubeObject, gvk: Gvk): Owner {
  return { gvk, key: keyOf(resource), uid: uidOf(resource), resource }
}

/** The uid of an object that the server has sent. It always has one. */
export function uidOf({ metadata }: KubeObject): string {
  return metadata.uid as string
}

/** Whether a child outlives its owner. */
export function isRetained({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[RETAIN_ANNOTATION] === 'true'
}

/** The value of the annotation `rolebook.dev/owner`. */
export function ownerText({ gvk, key }: Pick<Owner, 'gvk' | 'key'>): string {
  return `${formatGroupKind(gvk)}/${formatKey(key)}`
}

/** Removes our marks, so that a role that copies the labels or annotations of its resource does not copy them. */
export function withoutMarks(manifest: KubeObject): KubeObject {
  const { labels, annotations } = manifest.metadata
  const metadata = {
    ...manifest.metadata,
    ...(labels && { labels: unmarked(labels) }),
    ...(annotations && { annotations: unmarked(annotations) }),
  }
  return { ...manifest, metadata }
}

function unmarked(map: { readonly [key: string]: string }): { readonly [key: string]: string } {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !key.startsWith(MARKS_PREFIX)))
}

/** The part of an object by which the engine finds it again. */
export function marksOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, labels = {}, annotations = {}, ownerReferences } = metadata
  const marks = Object.entries(annotations).filter(
    ([key]) => key.startsWith(MARKS_PREFIX) && key !== APPLIED_ANNOTATION,
  )
  const label = Object.entries(labels).filter(([key]) => key === OWNER_UID_LABEL)
  const marked = { labels: Object.fromEntries(label), annotations: Object.fromEntries(marks) }
  return { apiVersion, kind, metadata: { name, namespace, ...marked, ...(ownerReferences && { ownerReferences }) } }
}

/** The entry that our applies leave in `managedFields`, for the object itself or for a subresource. */
export function applyEntryOf(object: KubeObject, manager: string, subresource = ''): ManagedFieldsEntry | undefined {
  return object.metadata.managedFields?.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === subresource,
  )
}
