import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'

/**
 * The server's API for callers in its process: controllers of workloads, tests. Writes go through the same
 * pipeline as requests over HTTP, and are refused with the same `ApiError`s.
 *
 * Objects are shared with the store: never change one, make a new one.
 */
export interface ObjectApi {
  get(gvk: Gvk, key: ObjectKey): KubeObject | undefined
  list(gvk: Gvk, options?: ObjectApiListOptions): readonly KubeObject[]
  create(object: KubeObject, manager: string): KubeObject
  /** Optimistic lock when the object carries a resourceVersion. */
  update(object: KubeObject, manager: string, subresource?: string): KubeObject
  /** Server-side apply; takes over what other managers own. */
  apply(object: KubeObject, manager: string, subresource?: string): KubeObject
  /** What the server would answer to an object that is made: all that `create` and `apply` refuse, unknown fields included. Nothing is stored. */
  tryOut(object: KubeObject, manager: string): TriedObject
  /** Nothing happens when the object is gone already. */
  delete(gvk: Gvk, key: ObjectKey, options?: ObjectApiDeleteOptions): void
  /** Reports every change of a kind, or of all kinds, in order and after it is visible. Returns a function that stops it. */
  subscribe(gvk: Gvk | undefined, listener: (event: ObjectEvent) => void): () => void
}

export interface TriedObject {
  /** With its defaults. */
  readonly object: KubeObject
  /** Texts of `Warning` headers. */
  readonly warnings: readonly string[]
}

export interface ObjectApiListOptions {
  readonly namespace?: string | undefined
  readonly labels?: ((labels: { readonly [key: string]: string }) => boolean) | undefined
}

export interface ObjectApiDeleteOptions {
  readonly uid?: string | undefined
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined
  readonly gracePeriodSeconds?: number | undefined
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubeObject
  /** The state before; absent with ADDED. */
  readonly old?: KubeObject | undefined
}
