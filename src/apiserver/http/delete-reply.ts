import { isJsonObject, type JsonObject } from '../../base/json.ts'
import { badRequest, invalid, type StatusCause } from '../api-status.ts'
import { type DeleteRequest, deleteObject } from '../lifecycle/delete-object.ts'
import type { PropagationPolicy } from '../lifecycle/propagation.ts'
import { listObjects } from '../store/list-objects.ts'
import type { ApiRequest } from './api-request.ts'
import { parseBody } from './decode-body.ts'
import { listQuery, parseListOptions } from './list-options.ts'
import { listReply, negotiateObjects, objectReply } from './object-reply.ts'
import { jsonReply, type Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { checkDryRun, parseWriteOptions } from './write-options.ts'

/** DELETE of one object. */
export function deleteReply({ state }: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource } = found
  const accepted = negotiateObjects(request)
  const options = parseDeleteRequest(found)
  if (resource.table === 'batch/jobs' && options.propagationPolicy === undefined) request.warn(JOB_WARNING)
  const { object, removed } = deleteObject(state, options)
  if (!removed || resource.returnsDeleted) {
    return objectReply(resource, object, { request, accepted, now: state.clock.now(), status: 200 })
  }
  const { name, uid } = object.metadata
  const details = { name, ...(resource.group !== '' && { group: resource.group }), kind: resource.plural, uid }
  return jsonReply({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details })
}

const JOB_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'

/** DELETE of a collection: every object that the selectors match, one by one. */
export function deleteCollectionReply({ state }: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource, path } = found
  const accepted = negotiateObjects(request)
  const options = parseDeleteRequest(found)
  const listOptions = parseListOptions(resource, '', request.query)
  const page = listObjects(state.store, listQuery(resource, path.namespace, listOptions))
  for (const { namespace, name } of page.items) deleteObject(state, { ...options, namespace, name })
  return listReply(resource, page, { request, accepted, now: state.clock.now() })
}

/** Options stand in the body, or in the query. */
function parseDeleteRequest({ request, resource, path }: ResourceRequest): DeleteRequest {
  const body = parseDeleteOptions(request)
  const write = { ...parseWriteOptions(request, { ...resource, namespaced: false }, path, 'DeleteOptions'), resource }
  const preconditions = isJsonObject(body.preconditions) ? body.preconditions : {}
  const { uid, resourceVersion } = preconditions
  return {
    ...write,
    dryRun: write.dryRun || dryRunOf(body),
    preconditions: {
      uid: typeof uid === 'string' ? uid : undefined,
      resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
    },
    propagationPolicy: policyOf(body, request.query),
    gracePeriodSeconds: graceOf(body, request.query),
  }
}

function parseDeleteOptions(request: ApiRequest): JsonObject {
  if (request.body.length === 0) return {}
  const options = parseBody(request, 'DeleteOptions')
  if (!isJsonObject(options)) throw badRequest('the body of a DELETE holds no DeleteOptions')
  return options
}

function dryRunOf(body: JsonObject): boolean {
  const given = Array.isArray(body.dryRun) ? body.dryRun.map(String) : []
  const causes = checkDryRun(given)
  if (causes.length > 0) throw invalidOptions(causes)
  return given.length > 0
}

function policyOf(body: JsonObject, query: URLSearchParams): PropagationPolicy | undefined {
  const given = body.propagationPolicy ?? query.get('propagationPolicy') ?? undefined
  if (given === undefined) return orphanOf(body.orphanDependents ?? query.get('orphanDependents'))
  if (given === 'Background' || given === 'Foreground' || given === 'Orphan') return given
  const message = `Unsupported value: ${JSON.stringify(given)}: supported values: "Foreground", "Background", "Orphan", "nil"`
  throw invalidOptions([{ reason: 'FieldValueNotSupported', message, field: 'propagationPolicy' }])
}

function orphanOf(value: unknown): PropagationPolicy | undefined {
  if (value === true || value === 'true') return 'Orphan'
  return value === false || value === 'false' ? 'Background' : undefined
}

function graceOf(body: JsonObject, query: URLSearchParams): number | undefined {
  const given = body.gracePeriodSeconds ?? query.get('gracePeriodSeconds') ?? undefined
  return given === undefined ? undefined : Number(given)
}

function invalidOptions(causes: readonly StatusCause[]): Error {
  return invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes)
}
