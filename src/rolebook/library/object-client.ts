import { CodedError } from '../../core/base/coded-error.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { JsonPatchBody, JsonPatchOperation, KubeClient } from '../../core/kube/client.ts'
import { type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import type { PropagationPolicy } from '../../core/kube/propagation.ts'
import type { ResourceMapper } from '../../core/kube/resource-mapper.ts'

/** A type of objects, as manifests name it. */
export interface KindReference {
  /** `apps/v1`, or `v1` for the core group. */
  readonly apiVersion: string
  readonly kind: string
}

/** An object by its name. Any manifest is one. */
export interface ObjectReference extends KindReference {
  readonly metadata: {
    readonly name?: string | undefined
    /** Defaults to `default`, for a kind that has namespaces. */
    readonly namespace?: string | undefined
  }
}

/** Which objects of a kind. What is absent selects all. */
export interface ObjectSelection {
  readonly namespace?: string | undefined
  /** As kubectl takes it: `app=web,tier!=test`. */
  readonly labelSelector?: string | undefined
  /** As kubectl takes it: `status.phase=Running`. */
  readonly fieldSelector?: string | undefined
}

/** A change of an object. */
export interface ObjectChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubeObject
}

const FIELD_MANAGER = 'rolebook-sandbox'
const PAGE_SIZE = 500

/**
 * Reads and writes plain objects of an API server over HTTP.
 *
 * Every method rejects with an `ApiError` when the server refuses, or when no answer comes. Its `httpStatus` is the HTTP status
 * (0 without an answer), and its `reason` that of the Kubernetes Status: `Invalid`, `Conflict`, `Forbidden`.
 */
export class ObjectClient {
  readonly #client: KubeClient
  readonly #mapper: ResourceMapper

  /** @internal */
  constructor({ client, mapper }: { readonly client: KubeClient; readonly mapper: ResourceMapper }) {
    this.#client = client
    this.#mapper = mapper
  }

  /** The object, or `undefined` if there is none of this name. */
  async get(reference: ObjectReference): Promise<KubeObject | undefined> {
    return this.#client.get(gvkOf(reference), await this.#keyOf(reference))
  }

  /** All objects of a kind that the selection fits, from all namespaces unless it names one. */
  async list(kind: KindReference, selection: ObjectSelection = {}): Promise<readonly KubeObject[]> {
    return (await this.#snapshot(gvkOf(kind), selection)).items
  }

  /**
   * The objects that exist, each as `ADDED`, and then every change. Ends without an error when `signal` aborts, or when the loop
   * over it ends. Rejects when the server has forgotten the changes since the last one that it sent.
   */
  async *watch(
    kind: KindReference,
    { signal, ...selection }: ObjectSelection & { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<ObjectChange, void, undefined> {
    const gvk = gvkOf(kind)
    const { items, resourceVersion } = await this.#snapshot(gvk, selection)
    for (const object of items) yield { type: 'ADDED', object }
    try {
      yield* this.#changes(gvk, { ...selection, signal, resourceVersion })
    } catch (error) {
      if (!signal?.aborted) throw error
    }
  }

  /** Creates an object. Rejects with the reason `AlreadyExists` if there is one of this name. */
  async create(object: KubeObject): Promise<KubeObject> {
    return this.#client.create(await this.#placed(object), { fieldManager: FIELD_MANAGER })
  }

  /** Server-side apply. `force` takes over fields that others own; defaults to true. */
  async apply(object: KubeObject, { force = true }: { readonly force?: boolean } = {}): Promise<KubeObject> {
    return this.#client.apply(await this.#placed(object), { fieldManager: FIELD_MANAGER, force })
  }

  /** A JSON merge patch (an object) or a JSON patch (a list of operations). `subresource` patches the status or the scale. */
  async patch(
    reference: ObjectReference,
    change: JsonObject | readonly JsonPatchOperation[],
    { subresource }: { readonly subresource?: 'status' | 'scale' | undefined } = {},
  ): Promise<KubeObject> {
    const key = await this.#keyOf(reference)
    return this.#client.patch(gvkOf(reference), key, patchOf(change), { fieldManager: FIELD_MANAGER, subresource })
  }

  /** Deletes an object, and what it owns by `propagationPolicy`, which defaults to `Background`. Succeeds if it is gone already. */
  async delete(
    reference: ObjectReference,
    { propagationPolicy = 'Background' }: { readonly propagationPolicy?: PropagationPolicy } = {},
  ): Promise<void> {
    await this.#client.delete(gvkOf(reference), await this.#keyOf(reference), { propagationPolicy })
  }

  async #snapshot(gvk: Gvk, selection: ObjectSelection): Promise<{ items: KubeObject[]; resourceVersion: string }> {
    const items: KubeObject[] = []
    for (let next: string | undefined; ; ) {
      const page = await this.#client.list(gvk, { ...selection, limit: PAGE_SIZE, continue: next })
      items.push(...page.items)
      next = page.continue
      if (next === undefined) return { items, resourceVersion: page.resourceVersion }
    }
  }

  /** A server ends a watch after a while: the next one goes on where it ended. */
  async *#changes(
    gvk: Gvk,
    options: ObjectSelection & { readonly signal: AbortSignal | undefined; readonly resourceVersion: string },
  ): AsyncGenerator<ObjectChange, void, undefined> {
    let { resourceVersion } = options
    while (!options.signal?.aborted) {
      for await (const event of this.#client.watch(gvk, { ...options, resourceVersion })) {
        if (event.type === 'ERROR')
          throw new CodedError('WatchEnded', `cannot watch ${gvk.kind}: ${event.status.message}`)
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion
        if (event.type !== 'BOOKMARK') yield { type: event.type, object: event.object }
      }
    }
  }

  async #keyOf({ metadata, ...kind }: ObjectReference): Promise<ObjectKey> {
    const { namespaced } = await this.#mapper.mappingFor(gvkOf(kind))
    return { namespace: namespaced ? (metadata.namespace ?? 'default') : '', name: metadata.name ?? '' }
  }

  async #placed(object: KubeObject): Promise<KubeObject> {
    const { namespace } = await this.#keyOf(object)
    return namespace === '' ? object : { ...object, metadata: { ...object.metadata, namespace } }
  }
}

function patchOf(change: JsonObject | readonly JsonPatchOperation[]): JsonPatchBody {
  return Array.isArray(change)
    ? { type: 'json', body: change as readonly JsonPatchOperation[] }
    : { type: 'merge', body: change as JsonObject }
}
