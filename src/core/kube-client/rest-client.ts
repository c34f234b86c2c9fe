import type { Clock } from '../base/clock.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../base/json.ts'
import { orAborted } from '../base/or-aborted.ts'
import { ApiError } from '../kube/api-error.ts'
import type {
  ApplyOptions,
  DeleteOptions,
  JsonPatchBody,
  KubeClient,
  ListOptions,
  ObjectList,
  PatchOptions,
  RequestOptions,
  SendOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../kube/client.ts'
import { apiVersionOf, formatGvk, type Gvk, gvkOf } from '../kube/group-version-kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../kube/object.ts'
import type { ResourceMapping } from '../kube/resource-mapper.ts'
import type { DiscoveredMapper } from './discovered-mapper.ts'
import { collectionPath, objectPath, withQuery } from './resource-path.ts'
import { noAnswer, parseAnswer } from './to-api-error.ts'
import type { HttpRequest, Transport } from './transport.ts'
import { watchEvents } from './watch-stream.ts'

export interface RestClientOptions {
  readonly transport: Transport
  readonly mapper: DiscoveredMapper
  readonly clock: Clock
}

/** The port over HTTP, one method a verb. JSON in, JSON out: no field is known, so none is lost. */
export class RestClient implements KubeClient {
  readonly #transport: Transport
  readonly #mapper: DiscoveredMapper
  readonly #clock: Clock

  constructor({ transport, mapper, clock }: RestClientOptions) {
    this.#transport = transport
    this.#mapper = mapper
    this.#clock = clock
  }

  async get(gvk: Gvk, key: ObjectKey, options: RequestOptions = {}): Promise<KubeObject | undefined> {
    const mapping = await this.#mappingFor(gvk, options)
    const path = objectPath(mapping, key)
    return this.#orUndefined(() => this.#sendFor(mapping, { method: 'GET', path }, options))
  }

  async list(gvk: Gvk, options: ListOptions = {}): Promise<ObjectList> {
    const mapping = await this.#mappingFor(gvk, options)
    const { namespace, signal, metadataOnly, warn, ...query } = options
    const path = withQuery(collectionPath(mapping, namespace), query)
    const accept = acceptOf(metadataOnly, 'PartialObjectMetadataList')
    const body = await this.#send(mapping, { method: 'GET', path, accept, signal, warn, lane: laneOf(gvk) })
    return toObjectList(body, gvk)
  }

  async *watch(gvk: Gvk, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const mapping = await this.#mappingFor(gvk, options)
    const { namespace, signal, metadataOnly, warn, ...query } = options
    const path = withQuery(collectionPath(mapping, namespace), { ...query, watch: true, allowWatchBookmarks: true })
    const accept = acceptOf(metadataOnly, 'PartialObjectMetadata')
    const bytes = await this.#mapped(mapping, () =>
      this.#transport.stream({ method: 'GET', path, accept, signal, warn }),
    )
    yield* openingBookmark(gvk, options)
    try {
      for await (const event of watchEvents(bytes, this.#clock)) yield metadataOnly ? named(event, gvk) : event
    } catch (error) {
      throw error instanceof ApiError || signal?.aborted ? error : noAnswer(`watch ${formatGvk(gvk)}`, error)
    }
  }

  async create(object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const mapping = await this.#mappingFor(gvkOf(object), options)
    const path = withQuery(collectionPath(mapping, namespaceFor(mapping, object)), writeQuery(options))
    return this.#sendFor(
      mapping,
      { method: 'POST', path, contentType: JSON_TYPE, body: JSON.stringify(object) },
      options,
    )
  }

  async apply(object: KubeObject, options: ApplyOptions): Promise<KubeObject> {
    const mapping = await this.#mappingFor(gvkOf(object), options)
    const address = { ...keyOf(object), subresource: options.subresource }
    const path = withQuery(objectPath(mapping, address), { ...writeQuery(options), force: options.force })
    return this.#sendFor(
      mapping,
      { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body: JSON.stringify(object) },
      options,
    )
  }

  async patch(gvk: Gvk, key: ObjectKey, patch: JsonPatchBody, options: PatchOptions): Promise<KubeObject> {
    const mapping = await this.#mappingFor(gvk, options)
    const path = withQuery(objectPath(mapping, { ...key, subresource: options.subresource }), writeQuery(options))
    const contentType = patch.type === 'merge' ? 'application/merge-patch+json' : 'application/json-patch+json'
    return this.#sendFor(mapping, { method: 'PATCH', path, contentType, body: JSON.stringify(patch.body) }, options)
  }

  async delete(gvk: Gvk, key: ObjectKey, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    const mapping = await this.#mappingFor(gvk, options)
    const path = objectPath(mapping, key)
    const body = JSON.stringify(deleteOptions(options))
    return this.#orUndefined(() =>
      this.#sendFor(mapping, { method: 'DELETE', path, contentType: JSON_TYPE, body }, options),
    )
  }

  /** Leases wait for no discovery: they must be renewed on time. It is asked for all, and goes on when one gives up. */
  #mappingFor(gvk: Gvk, { signal }: Pick<RequestOptions, 'signal'>): Promise<ResourceMapping> | ResourceMapping {
    if (isLease(gvk)) return LEASES
    return this.#mapper.known(gvk) ?? orAborted(this.#mapper.mappingFor(gvk), signal)
  }

  /** A request that is answered with one object of the mapping's kind. */
  async #sendFor(mapping: ResourceMapping, request: HttpRequest, options: SendOptions): Promise<KubeObject> {
    const { metadataOnly, signal, warn, beforeSend } = options
    const accept = acceptOf(metadataOnly, 'PartialObjectMetadata')
    const body = await this.#send(mapping, { ...request, accept, signal, warn, beforeSend, lane: laneOf(mapping.gvk) })
    return (metadataOnly && body.kind === 'PartialObjectMetadata' ? withKind(body, mapping.gvk) : body) as KubeObject
  }

  #send(mapping: ResourceMapping, request: HttpRequest): Promise<JsonObject> {
    return this.#mapped(mapping, async () => {
      const answer = await this.#transport.send(request)
      return parseAnswer(answer, `${request.method} ${formatGvk(mapping.gvk)}`)
    })
  }

  /** Distinguishes a kind that is no longer served from a missing object: the server's answer names only a missing object. */
  async #mapped<Result>(mapping: ResourceMapping, send: () => Promise<Result>): Promise<Result> {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError && error.httpStatus === 404) || namesAnObject(error)) throw error
      this.#mapper.doubt(mapping.gvk)
      const message = `cannot find ${formatGvk(mapping.gvk)}: the API server does not serve this path (${error.message})`
      throw new ApiError(404, 'KindNotServed', message, { cause: error })
    }
  }

  async #orUndefined(send: () => Promise<KubeObject>): Promise<KubeObject | undefined> {
    try {
      return await send()
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus === 404 && error.reason === 'NotFound') return undefined
      throw error
    }
  }
}

const JSON_TYPE = 'application/json'

function acceptOf(metadataOnly: boolean | undefined, as: string): string {
  return metadataOnly ? `application/json;as=${as};g=meta.k8s.io;v=v1` : JSON_TYPE
}

/** As every server since 1.14 serves them. */
const LEASES: ResourceMapping = {
  gvk: { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
  plural: 'leases',
  namespaced: true,
  subresources: [],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
}

function isLease({ group, version, kind }: Gvk): boolean {
  return kind === LEASES.gvk.kind && group === LEASES.gvk.group && version === LEASES.gvk.version
}

/** However much other work there is. */
function laneOf(gvk: Gvk): 'lease' | 'shared' {
  return gvk.group === LEASES.gvk.group ? 'lease' : 'shared'
}

function writeQuery({ fieldManager, dryRun }: WriteOptions): { fieldManager: string; dryRun: string | undefined } {
  return { fieldManager, dryRun: dryRun ? 'All' : undefined }
}

function namespaceFor(mapping: ResourceMapping, object: KubeObject): string | undefined {
  const { namespace, name = '' } = object.metadata
  if (!mapping.namespaced || namespace) return namespace
  throw new ApiError(400, 'BadRequest', `cannot create ${formatGvk(mapping.gvk)} "${name}": it has no namespace`)
}

function deleteOptions({ uid, resourceVersion, propagationPolicy }: DeleteOptions): object {
  const preconditions = uid || resourceVersion ? { uid, resourceVersion } : undefined
  return { apiVersion: 'v1', kind: 'DeleteOptions', preconditions, propagationPolicy }
}

function namesAnObject({ status }: ApiError): boolean {
  const details = status?.details
  return isJsonObject(details) && typeof details.name === 'string' && details.name !== ''
}

function withKind(object: JsonObject, gvk: Gvk): KubeObject {
  return { ...object, apiVersion: apiVersionOf(gvk), kind: gvk.kind } as KubeObject
}

function named(event: WatchEvent, gvk: Gvk): WatchEvent {
  return event.type === 'ERROR' ? event : { type: event.type, object: withKind(event.object, gvk) }
}

function toObjectList(body: JsonObject, gvk: Gvk): ObjectList {
  const { items, metadata } = body
  if (!isJsonObject(metadata) || (items !== null && !isJsonArray(items))) {
    throw noAnswer(`list ${formatGvk(gvk)}`, new Error('the answer is not a list'))
  }
  const head = { apiVersion: apiVersionOf(gvk), kind: gvk.kind }
  const token = metadata.continue
  return {
    items: (items ?? []).map((item) => ({ ...head, ...(item as object), ...head }) as KubeObject),
    resourceVersion: String(metadata.resourceVersion ?? ''),
    ...(typeof token === 'string' && token !== '' && { continue: token }),
  }
}

/**
 * Says that the stream is open, before anything happened on it: a watch that resumes at a version has, so far, seen
 * everything up to that version.
 */
function* openingBookmark(gvk: Gvk, { resourceVersion, sendInitialEvents }: WatchOptions): Generator<WatchEvent> {
  if (!resourceVersion || sendInitialEvents) return
  yield { type: 'BOOKMARK', object: { ...withKind({}, gvk), metadata: { resourceVersion } } }
}
