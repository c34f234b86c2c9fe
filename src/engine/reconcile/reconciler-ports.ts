import type { GroupKind, Gvk } from '../../core/kube/group-version-kind.ts'
import type { LabelSelector } from '../../core/kube/label-selector.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import type { AllowedNamespaces, DeletionSettings, Role } from '../role/role.ts'
import type { Request } from '../runtime/reconciler.ts'

/** Which role the resources of a kind get, and with which settings. */
export interface WatchEntry {
  /** Its version is the one in which the role sees the resource. */
  readonly gvk: Gvk
  readonly role: Role
  /** Changes with everything in the entry or the role on which a run depends. */
  readonly hash: string
  /** Milliseconds; 0 is never. */
  readonly reconcilePeriod: number
  readonly allowedNamespaces: AllowedNamespaces
  /** Those of all entries of the kind. Another entry may have selected the resource before, and its objects must be removable. */
  readonly allowedToKind: readonly AllowedNamespaces[]
  readonly manageStatus: boolean
  readonly deletion: DeletionSettings
}

/**
 * The resource that a request names. `unselected`: no entry selects it any more, so its objects are removed. `withoutRole`: a change of
 * the entries took its role away, so its objects stay.
 */
export type FoundResource =
  | {
      readonly kind: 'selected' | 'unselected' | 'withoutRole'
      readonly resource: KubeObject
      readonly entry: WatchEntry
    }
  /** The server has the resource and the caches do not yet: try again soon. */
  | { readonly kind: 'expected' }
  | { readonly kind: 'gone' }

/** The watched resources. Declared here, and implemented on informers by `operator`. */
export interface WatchedResources {
  find(request: Request, signal: AbortSignal): Promise<FoundResource>
  /** The newest known version of the resource with this uid, own writes included. */
  latest(request: Request, uid: string): KubeObject | undefined
  /** Whether the watch is about to deliver the deletion of this resource. So far only the answer to one of our writes shows it. */
  isDeletionDue(request: Request, uid: string): boolean
}

/** What triggers a role again: a change of one object, or of any object that a list selects. */
export type Subscription =
  | { readonly kind: 'object'; readonly type: GroupKind; readonly key: ObjectKey }
  | {
      readonly kind: 'list'
      readonly type: GroupKind
      /** Absent: all. */
      readonly namespaces?: readonly string[] | undefined
      readonly selector: LabelSelector
    }

/** Changes of these objects trigger these requests. Declared here, and implemented by `operator`. */
export interface Subscriptions {
  add(request: Request, subscription: Subscription): void
  /** Drops all subscriptions of the request that are not in the list. */
  keep(request: Request, subscriptions: readonly Subscription[]): void
}

/**
 * What the caches know of the cluster. It is declared here and implemented on informers by `operator`.
 *
 * Our own writes show at once, even if the watch has not delivered them. Absence proves nothing, since a cache may be behind.
 * Methods wait for the first list of a kind, and reject with its `ApiError` if the kind cannot be read.
 */
export interface ObjectCaches {
  /** An object that carries the label of any owner. */
  child(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined>
  /** The objects of a kind that carry the label of this owner. */
  children(gvk: Gvk, ownerUid: string): Promise<readonly KubeObject[]>
  /** Any object. Of a Secret only the metadata. */
  get(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined>
  /** Sorted by namespace, then name. Of Secrets only the metadata. */
  list(gvk: Gvk, query: CacheQuery): Promise<readonly KubeObject[]>
  /** The metadata of a foreign object, whose deletion is waited for. */
  metadata(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined>
  /** The objects of a kind that carry the label of `patch` tasks. */
  patched(gvk: Gvk): Promise<readonly KubeObject[]>
  /** Remembers that a write of this object was sent. Until its answer is remembered, only a live read says what the object is. */
  sent(object: KubeObject): void
  /** Whether a write of this object was sent and its answer is not remembered. */
  isUnanswered(object: KubeObject): boolean
  /** Remembers the answer of the server to one of our writes. */
  wrote(object: KubeObject): void
  /** Remembers that we have deleted an object, and that it is gone. */
  removed(gvk: Gvk, key: ObjectKey, uid: string): void
}

export interface CacheQuery {
  /** Absent: all. */
  readonly namespaces?: readonly string[] | undefined
  readonly selector: LabelSelector
  /** The part of `selector` that is the same in every run of the role. */
  readonly literalSelector: LabelSelector
}
