import type { JsonObject, JsonValue } from '../base/json.ts'
import type { Gvk } from './group-version-kind.ts'
import type { KubeObject, ObjectKey } from './object.ts'
import type { PropagationPolicy } from './propagation.ts'

/**
 * The Kubernetes API as a port: what the engine needs of a cluster, and nothing about how it is reached.
 *
 * Every method rejects with an `ApiError` when the server refuses or no answer comes, and with the signal's reason when
 * `signal` aborts. Objects are plain JSON, exactly as the server sent them.
 */
export interface KubeClient extends Reader, Writer {}

export interface Reader {
  /** The object, or `undefined` when there is none of that name (404 of the object; an unknown kind rejects). */
  get(gvk: Gvk, key: ObjectKey, options?: RequestOptions): Promise<KubeObject | undefined>
  /** One page. `namespace` empty or absent: all namespaces. */
  list(gvk: Gvk, options?: ListOptions): Promise<ObjectList>
  /** Ends without error when the server closes the stream; rejects on a broken connection or an HTTP error. */
  watch(gvk: Gvk, options: WatchOptions): AsyncIterable<WatchEvent>
}

export interface Writer {
  create(object: KubeObject, options: WriteOptions): Promise<KubeObject>
  /** Server-side apply. The object carries only the fields that the manager wants to own. */
  apply(object: KubeObject, options: ApplyOptions): Promise<KubeObject>
  /** JSON merge patch or JSON patch. */
  patch(gvk: Gvk, key: ObjectKey, patch: JsonPatchBody, options: PatchOptions): Promise<KubeObject>
  /** `undefined` when the object is gone already; else the answer of the server. */
  delete(gvk: Gvk, key: ObjectKey, options?: DeleteOptions): Promise<KubeObject | undefined>
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Answer with `PartialObjectMetadata`: metadata and nothing else. Defaults to false. */
  readonly metadataOnly?: boolean | undefined
  /** Receives each warning of the server once. A warning may quote what was sent. Defaults to the log. */
  readonly warn?: ((warning: string) => void) | undefined
}

export interface ListOptions extends RequestOptions {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
}

export interface ObjectList {
  /** Items have `apiVersion` and `kind` filled in, although the server leaves them out of lists. */
  readonly items: readonly KubeObject[]
  readonly resourceVersion: string
  /** Token of the next page; absent on the last. */
  readonly continue?: string | undefined
}

export interface WatchOptions extends RequestOptions {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined
  readonly timeoutSeconds?: number | undefined
  /** WatchList (KEP-3157): existing objects come first as ADDED, then a bookmark with `k8s.io/initial-events-end`. */
  readonly sendInitialEvents?: boolean | undefined
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: KubeObject }
  | { readonly type: 'ERROR'; readonly status: JsonObject }

export interface SendOptions extends RequestOptions {
  /** Called at the last moment before each attempt leaves this process. What it throws is thrown, and nothing is sent. */
  readonly beforeSend?: (() => void) | undefined
}

export interface WriteOptions extends SendOptions {
  readonly fieldManager: string
  /** Run the whole pipeline of the server and store nothing. Defaults to false. */
  readonly dryRun?: boolean | undefined
}

export interface ApplyOptions extends WriteOptions {
  /** Take fields from other managers. */
  readonly force: boolean
  readonly subresource?: 'status' | 'scale' | undefined
}

export type JsonPatchBody =
  | { readonly type: 'merge'; readonly body: JsonObject }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }

export type JsonPatchOperation = {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string | undefined
  readonly value?: JsonValue | undefined
}

export interface PatchOptions extends WriteOptions {
  readonly subresource?: 'status' | 'scale' | undefined
}

export interface DeleteOptions extends SendOptions {
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly propagationPolicy?: PropagationPolicy | undefined
}
