import type { JsonObject } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Authorizer } from '../access/authorizer.ts'
import { userInfo } from '../access/reviews.ts'
import { forbidden } from '../api-status.ts'
import { bodyResourceOf, presentObject, type ServedResource, toStorage } from '../served-resource.ts'
import type { AdmittedChange, Operation, ServerState, WriteRequest } from '../write/write-request.ts'

/** A change as policies, webhooks and quotas look at it. */
export interface AdmissionAttributes {
  readonly state: ServerState
  readonly request: WriteRequest
  /** Whom expressions may ask. */
  readonly authorizer: Authorizer
  readonly operation: Operation
  readonly resource: ServedResource
  /** Of the object: that of the resource, or of the body of a subresource. */
  readonly kind: Gvk
  readonly subresource: string
  /** Empty while the server is to make one up. */
  readonly name: string
  /** Of a Namespace, its own name. */
  readonly namespace: string
  /** Absent on deletion. */
  readonly object: KubeObject | undefined
  readonly old: KubeObject | undefined
}

export function admissionAttributes(
  { state, authorizer }: Pick<AdmissionAttributes, 'state' | 'authorizer'>,
  request: WriteRequest,
  { operation, object, old }: AdmittedChange,
): AdmissionAttributes {
  const { resource, subresource, isOfCollection = false } = request
  const name = isOfCollection ? '' : request.name || (object.metadata.name ?? '')
  return {
    state,
    request,
    authorizer,
    operation,
    resource,
    kind: bodyResourceOf(resource, subresource).gvk,
    subresource,
    name,
    namespace: resource.table === '/namespaces' ? name : request.namespace,
    object: operation === 'DELETE' ? undefined : (resource.rules.emptyForms?.shown(object) ?? object),
    old,
  }
}

/** The same change in another version of its resource. */
export function inVersion(attributes: AdmissionAttributes, resource: ServedResource): AdmissionAttributes {
  // A Scale is the same in all versions.
  if (attributes.subresource === 'scale') return { ...attributes, resource }
  const convert = (object: KubeObject | undefined): KubeObject | undefined =>
    object && presentObject(resource, toStorage(attributes.resource, object))
  const { object, old } = attributes
  return { ...attributes, resource, kind: resource.gvk, object: convert(object), old: convert(old) }
}

/** The namespace that a change is in; none for the cluster, and for namespaces themselves. */
export function namespaceOf({ state, resource, namespace }: AdmissionAttributes): KubeObject | undefined {
  if (!resource.namespaced || namespace === '') return undefined
  return state.store.get('/namespaces', '', namespace)?.object
}

/** After validation, when everything has a name. */
export function refuse({ resource, name }: AdmissionAttributes, cause: string): Error {
  return forbidden(resource, name, cause)
}

/** What an AdmissionReview and the variable `request` say about a change; `matched` is the version that a rule asked for. */
export function describeRequest(attributes: AdmissionAttributes, matched: AdmissionAttributes): JsonObject {
  const { request, operation, resource, subresource, name, namespace } = attributes
  return {
    kind: gvkObject(matched.kind),
    resource: gvrObject(matched.resource),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: gvkObject(attributes.kind),
    requestResource: gvrObject(resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfo(request.user),
    dryRun: request.dryRun,
    options: optionsOf(attributes),
  }
}

function gvkObject({ group, version, kind }: Gvk): JsonObject {
  return { group, version, kind }
}

function gvrObject({ group, version, plural }: ServedResource): JsonObject {
  return { group, version, resource: plural }
}

const OPTION_KINDS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const

function optionsOf({ operation, request }: AdmissionAttributes): JsonObject {
  return { kind: OPTION_KINDS[operation], apiVersion: 'meta.k8s.io/v1', ...request.options }
}
