import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import { ApiError, isNotFound } from '../../../core/kube/api-error.ts'
import type {
  ApplyOptions,
  DeleteOptions,
  JsonPatchBody,
  KubeClient,
  ListOptions,
  ObjectList,
  PatchOptions,
  RequestOptions,
  WatchEvent,
  WriteOptions,
} from '../../../core/kube/client.ts'
import { formatGvk, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { compileLabelSelector, parseLabelSelector } from '../../../core/kube/label-selector.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import { LEDGER_NAME } from '../../../engine/reconcile/ownership/ledger.ts'
import { composePatches, mergePatch } from './merge-patch.ts'
import { type WhatIf, WhatIfObjects } from './what-if-objects.ts'

const NAMESPACE: Gvk = { group: '', version: 'v1', kind: 'Namespace' }

/** As a server answers that has removed an object. */
const GONE: KubeObject = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' }

/**
 * A client to a cluster in which every write is a dry run, and which goes on as if it had happened: who reads, sees what
 * would be there. What the server has is read once. Events and the ledger are not sent, because they report what was done.
 */
export class WhatIfClient implements KubeClient {
  readonly objects = new WhatIfObjects()
  readonly #client: KubeClient
  readonly #lists = new Map<string, Promise<readonly KubeObject[]>>()
  /** Merge patches of an object and subresource, as one. */
  readonly #patches = new Map<string, JsonObject>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  async get(gvk: Gvk, key: ObjectKey, options: RequestOptions = {}): Promise<KubeObject | undefined> {
    const { now } = await this.#look(gvk, key, options)
    return now && options.metadataOnly ? metadataOf(now) : now
  }

  async list(gvk: Gvk, { namespace, labelSelector, signal, metadataOnly }: ListOptions = {}): Promise<ObjectList> {
    const isSelected = compileLabelSelector(parseLabelSelector(labelSelector ?? ''))
    const isMeant = ({ metadata }: KubeObject): boolean =>
      isSelected(metadata.labels) && (!namespace || metadata.namespace === namespace)
    const found = new Map<string, KubeObject>()
    for (const object of await this.#listed(gvk, { namespace, labelSelector, signal, metadataOnly })) {
      found.set(formatKey(keyOf(object)), object)
    }
    for (const { base, now } of this.objects.all()) {
      const object = now ?? base
      if (!object || formatGvk(gvkOf(object)) !== formatGvk(gvk)) continue
      const id = formatKey(keyOf(object))
      if (now && isMeant(now)) found.set(id, metadataOnly ? metadataOf(now) : now)
      else found.delete(id)
    }
    return { items: [...found.values()], resourceVersion: '' }
  }

  /** Nothing happens in a cluster that is looked at once. */
  async *watch(): AsyncGenerator<WatchEvent> {}

  async create(object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const gvk = gvkOf(object)
    if (gvk.kind === 'Event') return object
    if ((await this.#look(gvk, keyOf(object), options)).now) throw alreadyExists(object)
    if (keyOf(object).name === LEDGER_NAME) return this.objects.make(object)
    return this.objects.make(await this.#client.create(object, { ...options, dryRun: true }))
  }

  async apply(object: KubeObject, options: ApplyOptions): Promise<KubeObject> {
    const { base, now } = await this.#look(gvkOf(object), keyOf(object), options)
    const dry = { ...options, dryRun: true }
    if (options.dryRun) return this.#client.apply(this.objects.toServer(object), dry)
    if (base && now) {
      const answer = await this.#client.apply(this.objects.toServer(object), dry)
      return this.objects.layer(`${options.fieldManager} ${options.subresource ?? ''}`, answer)
    }
    // What only would be there is nothing that the server could be asked about again.
    if (now && options.subresource) return this.objects.make(mergePatch(now, withoutHead(object)))
    const answer = base ? object : await this.#tryToMake(object, dry)
    const isOthers = now?.metadata.managedFields?.some(({ manager }) => manager === options.fieldManager) === false
    return this.objects.make(isOthers ? mergePatch(now as KubeObject, withoutHead(answer)) : answer)
  }

  /** In a namespace that only would be there nothing can be tried. */
  async #tryToMake(object: KubeObject, options: ApplyOptions): Promise<KubeObject> {
    try {
      return await this.#client.apply(withoutIdentity(object), options)
    } catch (error) {
      const { namespace: name = '' } = object.metadata
      const namespace = this.objects.find(NAMESPACE, { namespace: '', name })
      if (isNotFound(error) && namespace?.now && !namespace.base) return object
      throw error
    }
  }

  async patch(gvk: Gvk, key: ObjectKey, patch: JsonPatchBody, options: PatchOptions): Promise<KubeObject> {
    const { base, now } = await this.#look(gvk, key, options)
    if (!now) throw notFound(gvk, key)
    if (!base || key.name === LEDGER_NAME) {
      return patch.type === 'merge' ? this.objects.make(mergePatch(now, patch.body)) : now
    }
    const writer = `${formatGvk(gvk)} ${formatKey(key)} ${options.subresource ?? ''}`
    const sent = patch.type === 'merge' ? { ...patch, body: this.#composed(writer, patch.body, now) } : patch
    const answer = await this.#client.patch(gvk, key, sent, { ...options, dryRun: true })
    return this.objects.layer(patch.type === 'merge' ? writer : `${writer} ${JSON.stringify(patch.body)}`, answer)
  }

  async delete(gvk: Gvk, key: ObjectKey, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    const { now } = await this.#look(gvk, key, options)
    if (!now) return undefined
    const { uid = now.metadata.uid, resourceVersion = now.metadata.resourceVersion } = options
    if (now.metadata.uid !== uid || now.metadata.resourceVersion !== resourceVersion) throw conflict(gvk, key)
    this.objects.remove(gvk, key)
    return GONE
  }

  async #look(gvk: Gvk, key: ObjectKey, { signal }: RequestOptions): Promise<WhatIf> {
    return this.objects.find(gvk, key) ?? this.objects.know(gvk, key, await this.#client.get(gvk, key, { signal }))
  }

  /** All pages, as the server first sent them. */
  #listed(gvk: Gvk, options: ListOptions): Promise<readonly KubeObject[]> {
    const id = JSON.stringify([gvk, options.namespace, options.labelSelector, options.metadataOnly])
    const known = this.#lists.get(id) ?? this.#pages(gvk, options)
    this.#lists.set(id, known)
    known.catch(() => this.#lists.delete(id))
    return known
  }

  async #pages(gvk: Gvk, options: ListOptions): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = []
    let token: string | undefined
    do {
      const page = await this.#client.list(gvk, { ...options, limit: 500, continue: token })
      found.push(...page.items)
      token = page.continue
    } while (token)
    return found
  }

  /** A server that forgets each patch is sent all of them; what they demand of the object is what the server has. */
  #composed(writer: string, body: JsonObject, now: KubeObject): JsonObject {
    const composed = composePatches(this.#patches.get(writer) ?? {}, body)
    this.#patches.set(writer, composed)
    const { metadata } = composed
    if (!isJsonObject(metadata) || metadata.resourceVersion === undefined) return composed
    const { resourceVersion } = this.objects.toServer(now).metadata
    return { ...composed, metadata: { ...metadata, resourceVersion } }
  }
}

function metadataOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata }
}

/** An object as a client sends it that does not know yet that it is there. */
function withoutIdentity(object: KubeObject): KubeObject {
  const { uid: _uid, resourceVersion, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, ...(resourceVersion === '1' && { resourceVersion }) } }
}

function withoutHead({ apiVersion: _version, kind: _kind, metadata, ...content }: KubeObject): JsonObject {
  const { uid: _uid, resourceVersion: _resourceVersion, managedFields: _fields, ...rest } = metadata
  return { ...content, metadata: rest as JsonObject }
}

function alreadyExists({ kind, metadata }: KubeObject): ApiError {
  return new ApiError(409, 'AlreadyExists', `${kind} "${metadata.name}" already exists`)
}

function notFound({ kind }: Gvk, { name }: ObjectKey): ApiError {
  return new ApiError(404, 'NotFound', `${kind} "${name}" not found`)
}

function conflict({ kind }: Gvk, { name }: ObjectKey): ApiError {
  return new ApiError(409, 'Conflict', `${kind} "${name}" is not the object that was to be removed`)
}
