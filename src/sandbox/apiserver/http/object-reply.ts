import type { JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest, quote, statusError } from '../api-status.ts'
import { presentAll, presentObject, type ServedResource } from '../served-resource.ts'
import type { ListPage } from '../store/list-objects.ts'
import type { StoredObject } from '../store/stored-object.ts'
import type { WriteResult } from '../write/write-request.ts'
import { type Accepted, negotiate, notAcceptableAsList, type Transform } from './accept.ts'
import type { ApiRequest } from './api-request.ts'
import { listBytes, objectBytes } from './object-bytes.ts'
import { partialObject, partialObjectList } from './partial-object.ts'
import { type BodyReply, jsonReply } from './reply.ts'
import { type IncludeObject, type TableOptions, toTable } from './table.ts'

/**
 * What answers about objects are turned into.
 *
 * @throws ApiError 406
 */
export function negotiateObjects(request: ApiRequest): Accepted {
  return negotiate(request.headers.accept, { isServed: isObjectTransform, withYaml: request.printYaml !== undefined })
}

/** The same for what is done and never stored, such as a review: of that there is no table. */
export function negotiateActions(request: ApiRequest): Accepted {
  const isServed = (transform: Transform): boolean => isObjectTransform(transform) && transform.kind !== 'Table'
  return negotiate(request.headers.accept, { isServed, withYaml: request.printYaml !== undefined })
}

/** The same for what is listed or watched. */
export function negotiateList(request: ApiRequest): Accepted {
  const withYaml = request.printYaml !== undefined
  return negotiate(request.headers.accept, { isServed: isObjectTransform, withYaml, refuse: notAcceptableAsList })
}

/** 406: a form that is meant for lists where there is one object, or the other way round. */
function wrongForm({ kind }: Transform, resource: ServedResource, found: 'list' | 'object'): Error {
  const goPackage = resource.group === '' ? 'core' : resource.group.split('.', 1)[0]
  const builtin = `${goPackage}.${found === 'list' ? resource.listKind : resource.kind}`
  const goType = resource.custom
    ? `unstructured.Unstructured${found === 'list' ? 'List' : ''}`
    : (resource.goType ?? builtin)
  const is = found === 'list' ? 'is a list' : 'is not a list'
  return statusError(406, 'NotAcceptable', `you requested ${kind}, but the requested object ${is} (*${goType})`)
}

function isObjectTransform({ kind, group, version }: Transform): boolean {
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return false
  return kind === 'Table' || kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList'
}

/** An object of the store: its bytes are shared. */
export function storedReply(resource: ServedResource, stored: StoredObject, form: StoredForm): BodyReply {
  const { transform } = form.accepted
  if (transform) return objectReply(resource, presentObject(resource, stored.object), { ...form, status: 200 })
  return { status: 200, contentType: 'application/json', body: objectBytes(resource, stored) }
}

/** What a write came to, as bytes of the store when it is there. */
export function writtenReply(
  resource: ServedResource,
  { object, created, stored }: WriteResult,
  form: StoredForm,
): BodyReply {
  const status = created ? 201 : 200
  if (!stored) return objectReply(resource, object, { ...form, status })
  return { ...storedReply(resource, stored, form), status }
}

export interface StoredForm {
  readonly request: ApiRequest
  readonly accepted: Accepted
  readonly now: number
}

export interface ReplyForm extends StoredForm {
  readonly status: number
}

export function objectReply(resource: ServedResource, object: KubeObject, form: ReplyForm): BodyReply {
  const { transform } = form.accepted
  return jsonReply(transform ? transformObject(resource, object, form, transform) : (object as JsonObject), form.status)
}

function transformObject(
  resource: ServedResource,
  object: KubeObject,
  form: ReplyForm,
  transform: Transform,
): JsonObject {
  const apiVersion = apiVersionOf(transform)
  if (transform.kind === 'PartialObjectMetadataList') throw wrongForm(transform, resource, 'object')
  if (transform.kind !== 'Table') return partialObject(object, apiVersion)
  const { resourceVersion } = object.metadata
  return toTable(resource, [object], { resourceVersion }, tableOptions(form.request, transform, form.now))
}

export function listReply(
  resource: ServedResource,
  page: ListPage,
  form: { request: ApiRequest; accepted: Accepted; now: number },
): BodyReply {
  const { transform } = form.accepted
  presentAll(
    resource,
    page.items.map(({ object }) => object),
  )
  if (!transform) return { status: 200, contentType: 'application/json', body: listBytes(resource, page) }
  if (transform.kind === 'PartialObjectMetadata') throw wrongForm(transform, resource, 'list')
  const objects = page.items.map(({ object }) => presentObject(resource, object))
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.continueToken && { continue: page.continueToken }),
    ...(page.remaining !== undefined && { remainingItemCount: page.remaining }),
  }
  if (transform.kind !== 'Table') return jsonReply(partialObjectList(objects, metadata, apiVersionOf(transform)))
  return jsonReply(toTable(resource, objects, metadata, tableOptions(form.request, transform, form.now)))
}

export function tableOptions(request: ApiRequest, transform: Transform, now: number): TableOptions {
  return { apiVersion: apiVersionOf(transform), includeObject: includeObjectOf(request), now }
}

function includeObjectOf({ query }: ApiRequest): IncludeObject {
  const wanted = query.get('includeObject') || 'Metadata'
  if (wanted === 'None' || wanted === 'Object' || wanted === 'Metadata') return wanted
  const cause = `includeObject: Invalid value: ${quote(wanted)}: must be 'Metadata', 'Object', 'None', or empty`
  throw badRequest(`Unable to convert to Table as requested: ${cause}`)
}
