import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest, conflict, statusError } from '../api-status.ts'
import { conflictCauses, conflictMessage } from '../apply/field-conflict.ts'
import { applyPatch, goGvk, otherType } from '../apply/server-side-apply.ts'
import { wrapIntegers } from '../kinds/decode/wrap-integers.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { PatchError } from '../patch/patch-error.ts'
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts'
import { insertObject } from './create-object.ts'
import { completeMerged } from './decode-object.ts'
import { decodeMerged, decodePatched, fromUnstructured } from './decode-patched.ts'
import { internFields } from './intern-fields.ts'
import { ensureNamespace, withMeta } from './object-meta.ts'
import { otherVersionsOf } from './other-versions.ts'
import { resetFieldsOf } from './reset-fields.ts'
import { trackChange } from './track-change.ts'
import { leavesEmpty, rememberUnsettled } from './unsettled.ts'
import { checkNamesMatch, findStored, nameless, updateObject } from './update-object.ts'
import { type ServerState, timestampOf, type WriteRequest, type WriteResult } from './write-request.ts'

export type PatchType = 'json' | 'merge' | 'strategic'

export interface Patch {
  readonly type: PatchType
  readonly body: JsonValue
  /** About fields of the body itself that stand twice or mean nothing. */
  readonly complaints: readonly string[]
}

/**
 * Changes a stored object by a patch of any kind but apply.
 *
 * @throws ApiError
 */
export function patchObject(state: ServerState, request: WriteRequest, patch: Patch): WriteResult {
  return updateObject(state, request, (live) => patchedObject(state, request, live, patch))
}

/** What a patch makes of an object, decoded, with its `managedFields` done. */
export function patchedObject(state: ServerState, request: WriteRequest, live: KubeObject, patch: Patch): KubeObject {
  const patched = withApiErrors(() => patchLive(request, live as JsonObject, patch))
  const updated =
    patch.type === 'strategic'
      ? decodeMerged(request, patched, patch)
      : decodePatched(state, request, patched, patch.complaints)
  checkNamesMatch(request, updated)
  return trackChange(state, request, { live, updated })
}

function patchLive({ resource }: WriteRequest, live: JsonObject, { type, body }: Patch): JsonObject {
  if (type === 'json') return applyJsonPatch(live, body)
  if (type === 'merge') return applyMergePatch(live, body)
  return applyStrategicMergePatch(live, body, resource.schema ?? {})
}

export interface ApplyRequest extends WriteRequest {
  readonly force: boolean
  /** Complaints about keys that stand twice in the body. */
  readonly duplicates?: readonly string[] | undefined
  /** Whether the body has no metadata at all. */
  readonly isNameless?: boolean | undefined
}

/**
 * Server-side apply; creates the object when there is none.
 *
 * @throws ApiError 409 when other managers own what would change
 */
export function applyObject(state: ServerState, request: ApplyRequest, applied: KubeObject): WriteResult {
  const stored = findStored(state, request)
  const storesUnchanged = stored !== undefined && leavesEmpty(request, applied, stored.object)
  const result =
    stored || request.subresource !== ''
      ? updateObject(state, { ...request, storesUnchanged }, (live) => mergeApplied(state, request, applied, live))
      : createApplied(state, request, applied)
  if (result.stored) rememberUnsettled(request, applied, result.stored)
  return result
}

function createApplied(state: ServerState, request: ApplyRequest, applied: KubeObject): WriteResult {
  const { uid } = applied.metadata
  if (uid) throw conflict(request.resource, request.name, uidMissing(uid))
  const merged = mergeApplied(state, request, applied, undefined)
  // Only the store replaces a version that was given.
  const wiped = withMeta(merged, { ...(!request.dryRun && { resourceVersion: undefined }), selfLink: undefined })
  return insertObject(state, request, ensureNamespace(wiped, request))
}

function uidMissing(uid: string): string {
  return `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
}

/** What an apply makes of an object, with its `managedFields` done. */
export function mergeApplied(
  state: ServerState,
  request: ApplyRequest,
  applied: KubeObject,
  live: KubeObject | undefined,
): KubeObject {
  const { resource, manager, force, subresource } = request
  const resetFields = resetFieldsOf(resource, subresource)
  const now = timestampOf(state.clock.now())
  const { schema } = resource
  const apiVersion = apiVersionOf(resource.gvk)
  const versions = otherVersionsOf(resource, state.registry)
  const input = { live, applied, manager, force, subresource, schema, apiVersion, now, resetFields, versions }
  const result = withApiErrors(() => {
    if (applied.kind !== resource.kind) throw otherType(applied)
    return applyPatch(input)
  })
  if (result.conflicts !== undefined) {
    const details = { causes: conflictCauses(result.conflicts) }
    throw statusError(409, 'Conflict', conflictMessage(result.conflicts), { details })
  }
  complainAboutDuplicates(request)
  const merged = internFields(completeApplied(request, result.object, applied))
  if (live && losesName(request, live)) throw nameless(request)
  checkNamesMatch(request, merged)
  return merged
}

/** Who gives all fields of the metadata up at once, gives the name up with them. */
function losesName({ resource, manager, subresource, isNameless }: ApplyRequest, live: KubeObject): boolean {
  if (resource.custom || isNameless !== true) return false
  return (live.metadata.managedFields ?? []).some(
    (entry) =>
      entry.operation === 'Apply' &&
      entry.manager === manager &&
      (entry.subresource ?? '') === subresource &&
      entry.fieldsV1?.['f:metadata'] !== undefined,
  )
}

function complainAboutDuplicates({ duplicates = [], fieldValidation, warn }: ApplyRequest): void {
  if (duplicates.length === 0) return
  if (fieldValidation === 'Strict')
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`,
    )
  for (const duplicate of duplicates) warn(duplicate)
}

/** What does not fit after an apply is reported as a fault of the server. */
function completeApplied(request: ApplyRequest, merged: KubeObject, applied: KubeObject): KubeObject {
  try {
    const { custom, schema } = request.resource
    return completeMerged(request, custom ? merged : (wrapIntegers(merged as JsonObject, schema) as KubeObject))
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 400 || request.resource.custom) throw error
    const kind = goGvk(request.resource.gvk)
    const { namespace = '', name = '' } = applied.metadata
    const cause = `unable to convert unstructured object to ${kind}: ${fromUnstructured(error)}`
    throw statusError(
      500,
      '',
      `failed to convert new object (${namespace}/${name}; ${kind}) to proper version: ${cause}`,
    )
  }
}

/** Refusals of the patch functions as answers of the server. */
function withApiErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    throw statusError(error.httpStatus, error.reason, error.message, error.reason === 'Invalid' ? { details: {} } : {})
  }
}
