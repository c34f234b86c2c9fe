import type { Gvk } from '../kube/group-version-kind.ts'
import type { LabelSelector } from '../kube/label-selector.ts'
import type { KubeObject, ObjectKey } from '../kube/object.ts'

/**
 * What the operator's caches know of the cluster. Declared here, kept on informers by `operator`.
 *
 * Own writes are seen at once, whatever the watch has delivered. Absence proves nothing: a cache may be behind.
 * Methods wait for the first list of a kind, and reject with its `ApiError` when the kind cannot be read.
 */
export interface ObjectCaches {
  /** An object that carries the label of an owner, whoever that is. */
  child(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined>
  /** The objects of a kind that carry the label of this owner. */
  children(gvk: Gvk, ownerUid: string): Promise<readonly KubeObject[]>
  /** Any object. Of a Secret: its metadata alone. */
  get(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined>
  /** Sorted by namespace, then name. Of Secrets: their metadata alone. */
  list(gvk: Gvk, query: CacheQuery): Promise<readonly KubeObject[]>
  /** The metadata of an object that is nobody's child: to hear of its going. */
  metadata(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined>
  /** The objects of a kind that carry the label of `patch` tasks. */
  patched(gvk: Gvk): Promise<readonly KubeObject[]>
  /** Remembers what the server answered to a write of ours. */
  wrote(object: KubeObject): void
  /** Remembers that an object is gone by our doing. */
  removed(gvk: Gvk, key: ObjectKey, uid: string): void
}

export interface CacheQuery {
  /** Absent: all. */
  readonly namespaces?: readonly string[] | undefined
  readonly selector: LabelSelector
  /** The part of `selector` that is the same in every run of the role. */
  readonly literalSelector: LabelSelector
}
