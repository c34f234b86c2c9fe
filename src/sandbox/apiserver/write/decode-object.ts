import { isJsonArray, type JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { dropForbiddenNulls } from '../../../core/schema/default.ts'
import { prune } from '../../../core/schema/prune.ts'
import { badRequest, quote } from '../api-status.ts'
import { canonicalObject, type ServedResource } from '../served-resource.ts'
import { inBodyOrder } from './field-order.ts'
import { withMeta } from './object-meta.ts'
import { shareUnchanged } from './share-unchanged.ts'
import type { WriteRequest } from './write-request.ts'

/**
 * From a parsed body to an object of the kind: unknown fields dropped, defaults filled in. `earlier` are the complaints
 * about the text.
 *
 * @throws ApiError 400 when it is another kind, does not fit the types, or has unknown fields and these are refused
 */
export function decodeObject(request: WriteRequest, body: JsonObject, earlier: readonly string[] = []): KubeObject {
  const { resource } = request
  const { schema } = resource
  const given = shareWithLast(body, resource)
  const { value, unknown } = schema ? prune(given, schema) : { value: given, unknown: [] }
  const ordered = resource.custom ? metadataFirst(unknown) : inBodyOrder(unknown, body)
  const metadata = (value.metadata ?? {}) as KubeObject['metadata']
  const typed = { ...value, apiVersion: apiVersionOf(resource.gvk), kind: resource.kind, metadata }
  // Who sends what cannot be read at all hears nothing of unknown fields.
  const completed = keepReset(request, typed, completeObject(request, typed))
  complain(request, [...earlier, ...ordered.map((path) => `unknown field ${quote(path)}`)])
  return completed
}

/** Bodies of one kind that come one after the other are mostly alike. What they share is not read again. */
const lastGiven = new WeakMap<ServedResource, JsonObject>()

function shareWithLast(body: JsonObject, resource: ServedResource): JsonObject {
  const given = shareUnchanged(body, lastGiven.get(resource)) as JsonObject
  lastGiven.set(resource, given)
  return given
}

/** An empty list of managers asks of built-in kinds to forget all, and is there until that is done. */
function keepReset({ resource }: WriteRequest, { metadata }: KubeObject, completed: KubeObject): KubeObject {
  const isReset = isJsonArray(metadata.managedFields) && metadata.managedFields.length === 0
  return isReset && !resource.custom ? withMeta(completed, { managedFields: [] }) : completed
}

/** Of custom resources, the metadata is decoded before the rest. */
function metadataFirst(paths: readonly string[]): readonly string[] {
  const isMeta = (path: string): boolean => path.startsWith('metadata.')
  return [...paths.filter(isMeta), ...paths.filter((path) => !isMeta(path))]
}

/** Types checked and brought into their canonical form, defaults filled in. */
function completeObject(request: WriteRequest, object: KubeObject): KubeObject {
  const { schema, custom } = request.resource
  return completeMerged(
    request,
    custom && schema ? (dropForbiddenNulls(object as JsonObject, schema) as KubeObject) : object,
  )
}

/** As `completeObject`, for what an apply makes: nulls that stand where fields were removed stay, for validation to refuse. */
export function completeMerged({ resource }: WriteRequest, object: KubeObject): KubeObject {
  return canonicalObject(resource, object)
}

function complain({ resource, fieldValidation, warn }: WriteRequest, complaints: readonly string[]): void {
  if (complaints.length === 0 || fieldValidation === 'Ignore') return
  if (fieldValidation === 'Warn') {
    for (const complaint of complaints) warn(complaint)
    return
  }
  const { kind, version } = resource
  const cause = `strict decoding error: ${complaints.join(', ')}`
  throw badRequest(`${kind} in version ${quote(version)} cannot be handled as a ${kind}: ${cause}`)
}
