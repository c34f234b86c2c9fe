import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest, invalid, quote, statusError } from '../api-status.ts'
import { textOf } from '../kinds/common/fields.ts'
import { jsonKindOf } from '../patch/patch-error.ts'
import { bodyResourceOf } from '../served-resource.ts'
import { findDuplicateFields } from '../write/duplicate-fields.ts'
import {
  type ApplyRequest,
  applyObject,
  mergeApplied,
  type Patch,
  type PatchType,
  patchedObject,
  patchObject,
} from '../write/patch-object.ts'
import { updateScale } from '../write/scale.ts'
import type { ServerState, WriteRequest, WriteResult } from '../write/write-request.ts'
import { unsupportedMediaType } from './accept.ts'
import type { ApiRequest } from './api-request.ts'
import { type ApplyBody, duplicateComplaints, parseApplyBody, parsePatch } from './decode-body.ts'
import { parseBoolean } from './list-options.ts'
import { negotiateObjects, writtenReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

const APPLY = 'application/apply-patch+yaml'
const STRATEGIC = 'application/strategic-merge-patch+json'
const PATCH_TYPES: ReadonlyMap<string, PatchType | 'apply'> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  [STRATEGIC, 'strategic'],
  [APPLY, 'apply'],
])

/** PATCH. */
export function patchReply(server: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource, path } = found
  const accepted = negotiateObjects(request)
  const result = patch(server, found, patchTypeOf(found))
  return writtenReply(bodyResourceOf(resource, path.subresource), result, {
    request,
    accepted,
    now: server.state.clock.now(),
  })
}

function patch(
  { state }: ResourceServer,
  { request, resource, path }: ResourceRequest,
  type: PatchType | 'apply',
): WriteResult {
  const write = parseWriteOptions(request, resource, path, 'PatchOptions')
  const force = parseBoolean(request.query, 'force')
  checkApplyOptions(request.query, type, force)
  const isScale = path.subresource === 'scale'
  if (type !== 'apply') {
    const body = parsePatch(request.body, type)
    const change = {
      type,
      body,
      complaints: write.fieldValidation === 'Ignore' ? [] : complaintsAbout(type, request, body),
    }
    return isScale ? patchScale(state, write, change) : patchObject(state, write, change)
  }
  const body = parseApplyBody(request)
  const applied = asApplied(body.value)
  const isNameless = isJsonObject(body.value) && body.value.metadata === undefined
  const apply = { ...write, force: force ?? false, duplicates: duplicatesIn(body, write), isNameless }
  return isScale ? applyScale(state, apply, applied) : applyObject(state, apply, applied)
}

/** About the patch itself: keys that stand twice, and fields that no operation has. */
function complaintsAbout(type: PatchType, { body: text }: ApiRequest, body: JsonValue): readonly string[] {
  const duplicates = duplicateComplaints(text.toString())
  if (type !== 'json' || !isJsonArray(body)) return duplicates
  const unknown = body.flatMap((operation, index) => {
    const names = Object.keys(isJsonObject(operation) ? operation : {}).filter((name) => !OPERATION_FIELDS.has(name))
    return names.map((name) => `unknown field ${quote(`[${index}].${name}`)}`)
  })
  return [...duplicates, ...unknown].map((complaint) => `json patch ${complaint}`)
}

const OPERATION_FIELDS = new Set(['op', 'path', 'from', 'value'])

function patchScale(state: ServerState, write: WriteRequest, change: Patch): WriteResult {
  const resource = bodyResourceOf(write.resource, 'scale')
  return updateScale(state, write, (live) => patchedObject(state, { ...write, resource }, live, change))
}

function applyScale(state: ServerState, apply: ApplyRequest, applied: KubeObject): WriteResult {
  const resource = bodyResourceOf(apply.resource, 'scale')
  return updateScale(state, apply, (live) => {
    const merged = mergeApplied(state, { ...apply, resource }, applied, live)
    if (apply.resource.custom) refuseScale(live, merged, applied)
    return merged
  })
}

/** No apply can change the scale of a custom resource: the real server takes a Scale for a version of that resource then. */
function refuseScale(live: KubeObject, merged: KubeObject, { metadata }: KubeObject): void {
  const cause = 'to proper version: request to convert CR to an invalid group/version: autoscaling/v1'
  const kind = 'autoscaling/v1, Kind=Scale'
  if (live.metadata.managedFields === undefined) {
    throw statusError(
      500,
      '',
      `failed to create manager for existing fields: failed to convert live object (/; ${kind}) ${cause}`,
    )
  }
  const unmanaged = ({ metadata: { managedFields: _, ...rest }, ...scale }: KubeObject) => ({
    ...scale,
    metadata: rest,
  })
  if (jsonEquals(unmanaged(merged) as JsonObject, unmanaged(live) as JsonObject)) return
  const { namespace = '', name = '' } = metadata
  throw statusError(500, '', `failed to convert new object (${namespace}/${name}; ${kind}) ${cause}`)
}

/** @throws ApiError 415 */
function patchTypeOf({ request, resource }: ResourceRequest): PatchType | 'apply' {
  const type = PATCH_TYPES.get(request.headers['content-type']?.replace(/;.*/s, '') ?? '')
  if (type !== undefined && (type !== 'strategic' || !resource.custom)) return type
  if (resource.custom) throw unsupportedMediaType([...PATCH_TYPES.keys()].filter((known) => known !== STRATEGIC))
  throw statusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} })
}

function checkApplyOptions(query: URLSearchParams, type: PatchType | 'apply', force: boolean | undefined): void {
  const causes: { reason: string; message: string; field: string }[] = []
  if (type === 'apply' && !query.get('fieldManager')) {
    const message = 'Required value: is required for apply patch'
    causes.push({ reason: 'FieldValueRequired', message, field: 'fieldManager' })
  }
  if (type !== 'apply' && force !== undefined) {
    const message = 'Forbidden: may not be specified for non-apply patch'
    causes.push({ reason: 'FieldValueForbidden', message, field: 'force' })
  }
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', causes)
}

/** What stands in the body, and no more: it has to say which kind it is. As in Go, null is an empty object. */
function asApplied(body: JsonValue): KubeObject {
  if (body === null) return asApplied({})
  if (!isJsonObject(body)) {
    const cause = `json: cannot unmarshal ${jsonKindOf(body)} into Go value of type map[string]interface {}`
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${cause}`)
  }
  const { apiVersion, kind, metadata } = body
  return { ...body, apiVersion: textOf(apiVersion), kind: textOf(kind), metadata: metadata ?? {} } as KubeObject
}

/** What the real server's YAML library says about keys that stand twice, one after the other. */
function duplicatesIn({ json, duplicates }: ApplyBody, { fieldValidation }: WriteRequest): readonly string[] {
  if (fieldValidation === 'Ignore') return []
  if (json === undefined) return duplicates
  return findDuplicateFields(json).map(({ key, line }) => `line ${line}: key ${quote(key)} already set in map`)
}
