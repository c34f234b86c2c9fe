import { type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { badRequest, invalid, notFound, quote, staleVersion, statusError } from '../api-status.ts'
import { kindInErrors, presentObject, storedForm, toStorage } from '../served-resource.ts'
import type { StoredObject } from '../store/stored-object.ts'
import { NAMESPACES, specFinalizersOf } from './namespace-finalizers.ts'
import { ensureNamespace, keepSystemFields, otherNamespace, withMeta } from './object-meta.ts'
import { prepareForUpdate } from './strategy.ts'
import { isUnsettled } from './unsettled.ts'
import { validateObject } from './validate-object.ts'
import { warnAbout, warnAboutRefused } from './warn-about.ts'
import type { ServerState, WriteRequest, WriteResult } from './write-request.ts'

/** From the stored object, in the version of the request, to the new one with its `managedFields` done. */
export type ObjectChange = (live: KubeObject) => KubeObject

/**
 * Changes a stored object: the pipeline of PUT and PATCH, from the optimistic lock to the store.
 *
 * @throws ApiError 404 when there is none, 409 when it has changed meanwhile, 422 when the result is invalid
 */
export function updateObject(state: ServerState, request: WriteRequest, change: ObjectChange): WriteResult {
  const stored = findStored(state, request)
  if (!stored) throw notFound(request.resource, request.name)
  const live = presentObject(request.resource, stored.object)
  const wanted = admitted(state, request, ensureNamespace(change(live), request), live)
  const changed = lockVersion(request, wanted, live)
  const prepared = prepareForUpdate(state, request, keepSystemFields(changed, live), live)
  const errors = validateObject(state, request, prepared, live)
  if (errors.length > 0) {
    warnAboutRefused(request, prepared, live)
    throw invalid(kindInErrors(request.resource), request.name, errors)
  }
  warnAbout(request, prepared, live)
  if (isAdmitted(request))
    state.admission?.validate(state, request, { operation: 'UPDATE', object: prepared, old: live })
  const updated = keepTimesOfSameFields(storedForm(request.resource, prepared), live)
  return storeChange(state, request, { stored, live, updated })
}

function admitted(state: ServerState, request: WriteRequest, object: KubeObject, old: KubeObject): KubeObject {
  if (!state.admission || !isAdmitted(request)) return object
  return state.admission.mutate(state, request, { operation: 'UPDATE', object, old })
}

/** What changes through another kind of body is admitted as that kind. */
function isAdmitted({ subresource }: WriteRequest): boolean {
  return !['scale', 'binding', 'eviction'].includes(subresource)
}

export function findStored(state: ServerState, { resource, namespace, name }: WriteRequest): StoredObject | undefined {
  return state.store.get(resource.table, namespace, name)
}

/** The name and namespace in a body are those of the path. */
export function checkNamesMatch(request: WriteRequest, { metadata }: KubeObject): void {
  const { name = '', namespace = '' } = metadata
  if (request.namespace !== '' && namespace !== '' && namespace !== request.namespace) throw otherNamespace()
  if (name === '') throw nameless(request)
  if (name !== request.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`)
  }
}

export function nameless({ name }: WriteRequest): Error {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
}

function lockVersion(request: WriteRequest, object: KubeObject, live: KubeObject): KubeObject {
  const { resourceVersion } = object.metadata
  if (resourceVersion === live.metadata.resourceVersion) return object
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== '0') {
    if (!/^\d+$/.test(resourceVersion)) throw noVersion(resourceVersion)
    throw staleVersion(request.resource, request.name)
  }
  if (request.resource.rules.unconditionalUpdate === false) throw versionMissing(request)
  return withMeta(object, { resourceVersion: live.metadata.resourceVersion })
}

function noVersion(text: string): Error {
  return statusError(500, '', `strconv.ParseUint: parsing ${quote(text)}: invalid syntax`)
}

function versionMissing({ resource, name }: WriteRequest): Error {
  const message = 'Invalid value: 0: must be specified for an update'
  const causes = [{ reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' }]
  return invalid({ group: resource.group, kind: resource.plural }, name, causes)
}

interface Replacement {
  readonly stored: StoredObject
  readonly live: KubeObject
  readonly updated: KubeObject
}

function storeChange(state: ServerState, request: WriteRequest, replacement: Replacement): WriteResult {
  const { stored, live } = replacement
  const updated = request.dryRun ? replacement.updated : withoutLink(replacement.updated)
  if (isReleased(updated, live, request.resource.table)) {
    // Watches see the last state that was stored, with its finalizers.
    if (!request.dryRun) state.store.remove(stored)
    return { object: updated, created: false }
  }
  const isSettled = request.storesUnchanged !== true && !isUnsettled(stored)
  if (isSettled && (updated === live || jsonEquals(updated, live))) return { object: live, created: false, stored }
  const changed = toStorage(request.resource, updated)
  if (request.dryRun) return { object: presentObject(request.resource, changed), created: false }
  const written = state.store.put(request.resource.table, changed)
  return { object: presentObject(request.resource, written.object), created: false, stored: written }
}

/** A link to itself that a client sends is dropped on the way to the storage, which a dry run does not reach. */
function withoutLink(object: KubeObject): KubeObject {
  return Object.hasOwn(object.metadata, 'selfLink') ? withMeta(object, { selfLink: undefined }) : object
}

/** The last finalizer of an object in deletion is gone, and no grace period runs. */
function isReleased(updated: KubeObject, live: KubeObject, table: string): boolean {
  if (live.metadata.deletionTimestamp === undefined || (updated.metadata.finalizers ?? []).length > 0) return false
  if (table === NAMESPACES && specFinalizersOf(updated).length > 0) return false
  return (live.metadata.deletionGracePeriodSeconds ?? 0) === 0
}

/** A write that changes nothing but times in `managedFields` changes nothing. */
function keepTimesOfSameFields(updated: KubeObject, live: KubeObject): KubeObject {
  const { managedFields: entries = [] } = updated.metadata
  const { managedFields } = live.metadata
  const old = managedFields ?? []
  if (entries === old || entries.length !== old.length) return updated
  if (!jsonEquals(withoutTimes(entries), withoutTimes(old))) return updated
  return jsonEquals(withMeta(updated, { managedFields }) as JsonObject, live as JsonObject) ? live : updated
}

function withoutTimes(entries: readonly ManagedFieldsEntry[]): JsonValue {
  return entries.map((entry) => ({ ...entry, time: undefined }))
}
