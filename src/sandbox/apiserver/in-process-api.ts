import { isAlreadyExists, isNotFound } from '../../core/kube/api-error.ts'
import { apiVersionOf, type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import { MASTERS } from './access/user.ts'
import { statusError } from './api-status.ts'
import { deleteObject } from './lifecycle/delete-object.ts'
import type { ObjectApi, ObjectApiDeleteOptions, ObjectApiListOptions, ObjectEvent, TriedObject } from './object-api.ts'
import { presentObject, type ServedResource, withoutWebhook } from './served-resource.ts'
import { createObject } from './write/create-object.ts'
import { decodeObject } from './write/decode-object.ts'
import { applyObject } from './write/patch-object.ts'
import { checkUid } from './write/preconditions.ts'
import { trackChange } from './write/track-change.ts'
import { updateObject } from './write/update-object.ts'
import type { ServerState, WriteRequest } from './write/write-request.ts'

/** `ObjectApi` over the store and the write pipeline. */
export class InProcessApi implements ObjectApi {
  readonly #state: Omit<ServerState, 'objects'>

  constructor(state: Omit<ServerState, 'objects'>) {
    this.#state = state
  }

  get(gvk: Gvk, { namespace, name }: ObjectKey): KubeObject | undefined {
    const resource = this.#resource(gvk)
    const stored = this.#state.store.get(resource.table, resource.namespaced ? namespace : '', name)
    return stored && presentObject(resource, stored.object)
  }

  list(gvk: Gvk, { namespace, labels }: ObjectApiListOptions = {}): readonly KubeObject[] {
    const resource = this.#resource(gvk)
    const found: KubeObject[] = []
    for (const { object } of this.#state.store.table(resource.table).list(namespace)) {
      if (labels && !labels(object.metadata.labels ?? {})) continue
      found.push(presentObject(resource, object))
    }
    return found
  }

  create(object: KubeObject, manager: string): KubeObject {
    const request = this.#request(object, manager)
    const decoded = decodeObject(request, object)
    return createObject(this.#withApi(), { ...request, name: '' }, decoded).object
  }

  update(object: KubeObject, manager: string, subresource = ''): KubeObject {
    const request = { ...this.#request(object, manager), subresource }
    const state = this.#withApi()
    const updated = decodeObject(request, object)
    const change = (live: KubeObject): KubeObject => {
      checkUid(request, updated.metadata.uid, live)
      return trackChange(state, request, { live, updated })
    }
    return updateObject(state, request, change).object
  }

  apply(object: KubeObject, manager: string, subresource = ''): KubeObject {
    const request = { ...this.#request(object, manager), subresource, force: true }
    return applyObject(this.#withApi(), request, object).object
  }

  tryOut(object: KubeObject, manager: string): TriedObject {
    const warnings: string[] = []
    const warn = (text: string): void => void warnings.push(text)
    const request = { ...this.#request(object, manager), dryRun: true, fieldValidation: 'Strict', warn } as const
    const created = this.#createUnlessThere(request, decodeObject(request, object))
    const applied = applyObject(this.#withApi(), { ...request, warn: () => undefined, force: true }, object)
    return { object: created ?? applied.object, warnings }
  }

  #createUnlessThere(request: WriteRequest, decoded: KubeObject): KubeObject | undefined {
    try {
      return createObject(this.#withApi(), { ...request, name: '' }, decoded).object
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      return undefined
    }
  }

  delete(gvk: Gvk, key: ObjectKey, options: ObjectApiDeleteOptions = {}): void {
    const object = { apiVersion: apiVersionOf(gvk), kind: gvk.kind, metadata: key }
    const { uid, propagationPolicy, gracePeriodSeconds } = options
    const request = this.#request(object, '')
    try {
      deleteObject(this.#withApi(), { ...request, preconditions: { uid }, propagationPolicy, gracePeriodSeconds })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  subscribe(gvk: Gvk | undefined, listener: (event: ObjectEvent) => void): () => void {
    const wanted = gvk && this.#resource(gvk)
    return this.#state.store.subscribe(({ type, current, previous }) => {
      if (wanted && current.resource !== wanted.table) return
      const found = wanted ?? this.#state.registry.ofTable(current.resource)
      if (!found) return
      const resource = withoutWebhook(found)
      const old = type === 'ADDED' ? undefined : previous && presentObject(resource, previous.object)
      listener({ type, object: presentObject(resource, current.object), old })
    })
  }

  #withApi(): ServerState {
    return { ...this.#state, objects: this }
  }

  #resource(gvk: Gvk): ServedResource {
    const resource = this.#state.registry.ofKind(gvk)
    if (resource) return withoutWebhook(resource)
    const message = `no matches for kind "${gvk.kind}" in version "${apiVersionOf(gvk)}"`
    throw statusError(404, 'NotFound', message)
  }

  #request(object: KubeObject, manager: string): WriteRequest {
    const resource = this.#resource(gvkOf(object))
    const { name = '', namespace = '' } = object.metadata
    return {
      resource,
      name,
      namespace: resource.namespaced ? namespace : '',
      subresource: '',
      manager,
      user: { name: `system:${manager}`, groups: [MASTERS] },
      dryRun: false,
      fieldValidation: 'Ignore',
      warn: () => undefined,
    }
  }
}
