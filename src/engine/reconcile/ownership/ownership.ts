import { getPath } from '../../../core/base/json.ts'
import { isConflict, isNotFound } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { isTerminating, withFinalizer, withoutFinalizer } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import {
  formatKey,
  formatObject,
  type KubeObject,
  keyOf,
  type ManagedFieldsEntry,
  type ObjectKey,
} from '../../../core/kube/object.ts'
import { controllerOf } from '../../../core/kube/owner-reference.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { AllowedNamespaces } from '../../role/role.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import type { ObjectCaches } from '../reconciler-ports.ts'

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

/** Whose an object is, from the point of view of one resource. `foreign` names the other owner. */
export type Ownership =
  | { readonly kind: 'ours' }
  | { readonly kind: 'unowned' }
  | { readonly kind: 'foreign'; readonly by: string }

/**
 * An object is ours by its controller reference with our uid; without any controller, by label and annotations together,
 * when the live `managedFields` prove that the label is of our own making. Names and labels alone prove nothing: every
 * client can write them.
 */
export function ownershipOf(live: KubeObject, owner: Owner, installation: string): Ownership {
  const controller = controllerOf(live)
  const operator = live.metadata.annotations?.[OPERATOR_ANNOTATION]
  if (operator !== undefined && operator !== installation) {
    return { kind: 'foreign', by: `another installation of rolebook (${operator})` }
  }
  if (controller) {
    if (controller.uid === owner.uid) return { kind: 'ours' }
    const by = `${controller.kind} ${formatKey({ ...keyOf(live), name: controller.name })}`
    const isFormer =
      controller.name === owner.key.name && formatGroupKind(gvkOf(controller)) === formatGroupKind(owner.gvk)
    return { kind: 'foreign', by: isFormer ? `a former ${by} and is to go with it` : by }
  }
  const uid = live.metadata.labels?.[OWNER_UID_LABEL]
  if (uid === undefined) return { kind: 'unowned' }
  const by = live.metadata.annotations?.[OWNER_ANNOTATION] ?? `the owner with uid ${uid}`
  if (uid !== owner.uid || by !== ownerText(owner)) return { kind: 'foreign', by }
  return operator === installation && isLabelledByUs(live) ? { kind: 'ours' } : { kind: 'unowned' }
}

/** What it takes to remove an object: a controller reference alone is not a proof, since everybody can write one. */
export function isProvenOurs(live: KubeObject, owner: Owner, installation: string): boolean {
  return ownershipOf(live, owner, installation).kind === 'ours' && isLabelledByUs(live)
}

/** Whether the label with the owner's uid came from an apply of ours, which no other client can forge without our manager's name. */
function isLabelledByUs(live: KubeObject): boolean {
  const fields = applyEntryOf(live, FIELD_MANAGER)?.fieldsV1
  return getPath(fields, ['f:metadata', 'f:labels', `f:${OWNER_UID_LABEL}`]) !== undefined
}

/**
 * Whether `live` may be made the owner's: it is `ours` already, or it is `unowned` and may be adopted.
 *
 * @throws TaskFailure `NameCollision`
 */
export function checkMayEnsure(
  live: KubeObject,
  owner: Owner,
  options: { readonly installation: string; readonly adopt: 'never' | 'ifUnowned' },
): 'ours' | 'unowned' {
  const ownership = ownershipOf(live, owner, options.installation)
  if (ownership.kind === 'ours') return 'ours'
  const name = formatObject(live)
  if (ownership.kind === 'foreign') throw collision(`cannot ensure ${name}: it belongs to ${ownership.by}`)
  if (options.adopt === 'never') {
    const remedy = 'choose another name, delete it, or set `adopt: ifUnowned` in the role'
    throw collision(`cannot ensure ${name}: it exists already and is not this resource's (${remedy})`)
  }
  if (isTerminating(live)) throw collision(`cannot adopt ${name}: it is being deleted`)
  return 'unowned'
}

function collision(message: string): TaskFailure {
  return new TaskFailure('NameCollision', message)
}

export type Access = 'read' | 'write'

/**
 * Where the role of one resource may read and write. It is checked before any request.
 *
 * The role of a namespaced resource may use its namespace and those that the watch entry allows. The role of a cluster-scoped resource may
 * use any, unless the entry limits it. Cluster-scoped objects belong to every namespace, so they need `*`.
 */
export class NamespaceRules {
  readonly #own: string
  readonly #allowed: Readonly<Record<Access, readonly string[]>>

  /** `own` is empty for a cluster-scoped resource. A namespace is allowed if one of `allowed` allows it. */
  constructor(own: string, ...allowed: readonly AllowedNamespaces[]) {
    const byDefault = own === '' ? ['*'] : []
    const inAny = (access: Access): readonly string[] => allowed.flatMap((one) => one[access] ?? byDefault)
    this.#own = own
    this.#allowed = { read: inAny('read'), write: inAny('write') }
  }

  /**
   * The key of an object that a task names. A cluster-scoped object has no namespace, also when the task gives one: the API server leaves it
   * out as well.
   *
   * @throws TaskFailure when the role may not use that namespace
   */
  resolve(
    mapping: ResourceMapping,
    target: { name: string; namespace?: string | undefined },
    access: Access,
  ): ObjectKey {
    const { name, namespace = mapping.namespaced ? this.#own : '' } = target
    const what = `${mapping.gvk.kind} "${name}"`
    if (!mapping.namespaced) {
      if (!this.isAllowed('', access)) throw this.#refusal(mapping, what, access)
      return { namespace: '', name }
    }
    if (namespace === '') {
      throw new TaskFailure(
        'Invalid',
        `cannot use ${what}: it has no namespace, and neither has the resource (set \`metadata.namespace\`)`,
      )
    }
    if (!this.isAllowed(namespace, access)) throw this.#refusal(mapping, `${what} of namespace "${namespace}"`, access)
    return { namespace, name }
  }

  /** `namespace` is empty for cluster-scoped objects. */
  isAllowed(namespace: string, access: Access): boolean {
    const allowed = this.#allowed[access]
    if (allowed.includes('*')) return true
    return namespace !== '' && (namespace === this.#own || allowed.includes(namespace))
  }

  /** The namespaces that may be read or written, or `undefined` for all. */
  reach(access: Access): readonly string[] | undefined {
    const allowed = this.#allowed[access]
    if (allowed.includes('*')) return undefined
    return [...new Set(this.#own === '' ? allowed : [this.#own, ...allowed])].sort()
  }

  #refusal({ gvk, namespaced }: ResourceMapping, what: string, access: Access): TaskFailure {
    const remedy = namespaced
      ? `list the namespace under \`allowedNamespaces.${access}\``
      : `set \`allowedNamespaces.${access}: ["*"]\``
    const message = `cannot ${access} ${what}: the watch entry does not allow it (${remedy} to let the role reach ${formatGroupKind(gvk)})`
    return new TaskFailure('Forbidden', message)
  }
}

const MAX_ATTEMPTS = 5

/** Adds and removes our finalizer, which resources need that have something out of reach of the garbage collector. */
export class ResourceFinalizer {
  readonly #client: KubeClient
  readonly #caches: ObjectCaches

  constructor({ client, caches }: { readonly client: KubeClient; readonly caches: ObjectCaches }) {
    this.#client = client
    this.#caches = caches
  }

  /** @throws TaskFailure when the resource is being deleted: nothing may be created for it any more */
  async add(owner: Owner, signal: AbortSignal): Promise<void> {
    const changed = await this.#change(owner, withFinalizer, signal)
    if (changed && !isTerminating(changed)) {
      if (changed !== owner.resource) this.#caches.wrote(changed)
      return
    }
    throw new TaskFailure('Failed', deletionMessage(owner), { retriable: true })
  }

  /** Sets annotations on a terminating resource. Returns the owner with the new version of the resource. */
  async annotate(owner: Owner, annotations: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Owner> {
    const { gvk, key, uid } = owner
    const body = { metadata: { uid, annotations } }
    const options = { fieldManager: FIELD_MANAGER, signal }
    const resource = await this.#client.patch(gvk, key, { type: 'merge', body }, options)
    this.#caches.wrote(resource)
    return { ...owner, resource }
  }

  async remove(owner: Owner, signal: AbortSignal): Promise<void> {
    const changed = await this.#change(owner, withoutFinalizer, signal)
    if (!changed) return
    const isLast = isTerminating(changed) && (changed.metadata.finalizers ?? []).length === 0
    if (isLast) this.#caches.removed(owner.gvk, owner.key, owner.uid)
    else this.#caches.wrote(changed)
  }

  /** Returns `undefined` if the resource is gone. */
  async #change(
    { gvk, key, uid, resource }: Owner,
    change: (resource: KubeObject, finalizer: string) => readonly string[],
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    let latest: KubeObject | undefined = resource
    for (let left = MAX_ATTEMPTS; latest && latest.metadata.uid === uid; left--) {
      const finalizers = change(latest, FINALIZER)
      const mayAdd = !isTerminating(latest) || change === withoutFinalizer
      if (!mayAdd || finalizers.length === (latest.metadata.finalizers ?? []).length) return latest
      const metadata = { uid, resourceVersion: latest.metadata.resourceVersion, finalizers }
      try {
        const options = { fieldManager: FIELD_MANAGER, signal }
        return await this.#client.patch(gvk, key, { type: 'merge', body: { metadata } }, options)
      } catch (error) {
        if (!(isConflict(error) && left > 1) && !isNotFound(error)) throw error
        latest = await this.#client.get(gvk, key, { signal })
      }
    }
    return undefined
  }
}

export function deletionMessage({ gvk, key }: Owner): string {
  return `${gvk.kind} ${formatKey(key)} is being deleted: nothing more is created for it`
}
