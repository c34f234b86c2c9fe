import { isJsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { badRequest, invalid, statusError } from '../api-status.ts'
import {
  type ApplyRequest,
  applyObject,
  mergeApplied,
  type PatchType,
  patchedObject,
  patchObject,
} from '../write/patch-object.ts'
import { updateScale } from '../write/scale.ts'
import type { ServerState, WriteRequest, WriteResult } from '../write/write-request.ts'
import { unsupportedMediaType } from './accept.ts'
import { mediaTypeOf, parseApplyBody, parsePatch } from './decode-body.ts'
import { parseBoolean } from './list-options.ts'
import { negotiateObjects, writtenReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

const APPLY = 'application/apply-patch+yaml'
const STRATEGIC = 'application/strategic-merge-patch+json'
const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  [STRATEGIC]: 'strategic',
}

/** PATCH. */
export function patchReply(server: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource } = found
  const accepted = negotiateObjects(request)
  const result = patch(server, found, checkMediaType(found))
  return writtenReply(resource, result, { request, accepted, now: server.state.clock.now() })
}

function patch({ state }: ResourceServer, { request, resource, path }: ResourceRequest, type: string): WriteResult {
  const write = parseWriteOptions(request, resource, path, 'PatchOptions')
  const force = parseBoolean(request.query, 'force')
  checkApplyOptions(request.query, type, force)
  const body = type === APPLY ? parseApplyBody(request, resource.kind) : parsePatch(request.body)
  const apply = type === APPLY ? { ...write, force: force ?? false } : undefined
  if (path.subresource === 'scale') return patchScale(state, write, { type, body, apply })
  if (apply) return applyObject(state, apply, asApplied(body, write))
  return patchObject(state, write, { type: PATCH_TYPES[type] ?? 'merge', body })
}

interface ScalePatch {
  readonly type: string
  readonly body: JsonValue
  readonly apply: ApplyRequest | undefined
}

function patchScale(state: ServerState, write: WriteRequest, { type, body, apply }: ScalePatch): WriteResult {
  const resource = write.resource.subresources.get('scale')?.body ?? write.resource
  return updateScale(state, write, (live) => {
    const scale = apply
      ? mergeApplied(state, { ...apply, resource }, asApplied(body, { ...write, resource }), live)
      : patchedObject(state, { ...write, resource }, live, { type: PATCH_TYPES[type] ?? 'merge', body })
    return scale
  })
}

/** @throws ApiError 415 */
function checkMediaType({ request, resource }: ResourceRequest): string {
  const types = Object.keys(PATCH_TYPES).filter((type) => type !== STRATEGIC || !resource.custom)
  const known = [...types, APPLY]
  const type = mediaTypeOf(request)
  if (known.includes(type)) return type
  if (resource.custom) throw unsupportedMediaType(known)
  throw statusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} })
}

function checkApplyOptions(query: URLSearchParams, type: string, force: boolean | undefined): void {
  const causes: { reason: string; message: string; field: string }[] = []
  if (type === APPLY && !query.get('fieldManager')) {
    const message = 'Required value: is required for apply patch'
    causes.push({ reason: 'FieldValueRequired', message, field: 'fieldManager' })
  }
  if (type !== APPLY && force !== undefined) {
    const message = 'Forbidden: may not be specified for non-apply patch'
    causes.push({ reason: 'FieldValueForbidden', message, field: 'force' })
  }
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', causes)
}

function asApplied(body: JsonValue, { resource }: WriteRequest): KubeObject {
  if (!isJsonObject(body)) {
    const cause = `json: cannot unmarshal ${Array.isArray(body) ? 'array' : typeof body} into Go value of type map[string]interface {}`
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${cause}`)
  }
  const metadata = isJsonObject(body.metadata) ? body.metadata : {}
  return { apiVersion: '', kind: resource.kind, ...body, metadata }
}
