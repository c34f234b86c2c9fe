import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { LabelSelector } from '../../core/kube/label-selector.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'

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
