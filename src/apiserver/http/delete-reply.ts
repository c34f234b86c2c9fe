import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import { badRequest, invalid, type StatusCause } from '../api-status.ts'
import { type DeleteRequest, deleteObject } from '../lifecycle/delete-object.ts'
import type { PropagationPolicy } from '../lifecycle/propagation.ts'
import { jsonKindOf } from '../patch/patch-error.ts'
import type { ApiRequest } from './api-request.ts'
import { notAnObject, parseBody, type Refuse } from './decode-body.ts'
import { listPage, parseBoolean, parseInteger, parseListOptions } from './list-options.ts'
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
    const status = !removed && options.orphanDependents === false ? 202 : 200
    return objectReply(resource, object, { request, accepted, now: state.clock.now(), status })
  }
  const { name, uid } = object.metadata
  const details = { name, ...(resource.group !== '' && { group: resource.group }), kind: resource.plural, uid }
  return jsonReply({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details })
}

const JOB_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'

/** DELETE of a collection: every object that the selectors match, one by one. */
export function deleteCollectionReply({ state }: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource } = found
  const accepted = negotiateObjects(request)
  const options = parseDeleteRequest(found)
  const listOptions = parseListOptions(resource, request.query)
  const page = listPage(state.store, found, listOptions)
  for (const { namespace, name } of page.items) deleteObject(state, { ...options, namespace, name })
  return listReply(resource, page, { request, accepted, now: state.clock.now() })
}

interface DeleteOptions extends DeleteRequest {
  /** The old form of a policy: true is `Orphan`, false `Background`. */
  readonly orphanDependents: boolean | undefined
}

/** Options stand in the body, or in the query. */
function parseDeleteRequest({ request, resource, path }: ResourceRequest): DeleteOptions {
  const body = parseDeleteOptions(request)
  const write = parseWriteOptions(request, resource, path, 'DeleteOptions')
  const orphanDependents = orphanOf(body, request.query)
  const preconditions = isJsonObject(body.preconditions) ? body.preconditions : {}
  const { uid, resourceVersion } = preconditions
  return {
    ...write,
    dryRun: write.dryRun || dryRunOf(body),
    preconditions: {
      uid: typeof uid === 'string' ? uid : undefined,
      resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
    },
    orphanDependents,
    propagationPolicy: policyOf(body, request.query, orphanDependents),
    gracePeriodSeconds: graceOf(body, request.query),
  }
}

function parseDeleteOptions(request: ApiRequest): JsonObject {
  if (request.body.length === 0) return {}
  const refuse: Refuse = (cause) => badRequest(`couldn't get version/kind; json parse error: ${cause}`)
  const options = parseBody(request, refuse)
  if (!isJsonObject(options)) throw refuse(notAnObject(options))
  for (const [name, { type, fits }] of Object.entries(OPTION_TYPES)) {
    const value = options[name]
    if (value === undefined || value === null || fits(value)) continue
    const field = `Go struct field DeleteOptions.${name} of type ${type}`
    throw badRequest(`json: cannot unmarshal ${jsonKindOf(value)} into ${field}`)
  }
  return options
}

const OPTION_TYPES: Readonly<Record<string, { readonly type: string; readonly fits: (value: JsonValue) => boolean }>> =
  {
    dryRun: { type: '[]string', fits: Array.isArray },
    gracePeriodSeconds: { type: 'int64', fits: (value) => typeof value === 'number' },
    orphanDependents: { type: 'bool', fits: (value) => typeof value === 'boolean' },
  }

function dryRunOf(body: JsonObject): boolean {
  const given = Array.isArray(body.dryRun) ? body.dryRun.map(String) : []
  const causes = checkDryRun(given)
  if (causes.length > 0) throw invalidOptions(causes)
  return given.length > 0
}

function policyOf(
  body: JsonObject,
  query: URLSearchParams,
  orphans: boolean | undefined,
): PropagationPolicy | undefined {
  const given = body.propagationPolicy ?? query.get('propagationPolicy') ?? undefined
  if (given === undefined) return orphans === undefined ? undefined : orphans ? 'Orphan' : 'Background'
  if (orphans !== undefined) throw bothGiven(given)
  if (given === 'Background' || given === 'Foreground' || given === 'Orphan') return given
  const message = `Unsupported value: ${JSON.stringify(given)}: supported values: "Foreground", "Background", "Orphan", "nil"`
  throw invalidOptions([{ reason: 'FieldValueNotSupported', message, field: 'propagationPolicy' }])
}

function bothGiven(policy: JsonValue): Error {
  const message = `Invalid value: ${JSON.stringify(policy)}: orphanDependents and deletionPropagation cannot be both set`
  return invalidOptions([{ reason: 'FieldValueInvalid', message, field: 'propagationPolicy' }])
}

function orphanOf({ orphanDependents }: JsonObject, query: URLSearchParams): boolean | undefined {
  return typeof orphanDependents === 'boolean' ? orphanDependents : parseBoolean(query, 'orphanDependents')
}

function graceOf(body: JsonObject, query: URLSearchParams): number | undefined {
  const { gracePeriodSeconds } = body
  return typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : parseInteger(query, 'gracePeriodSeconds')
}

function invalidOptions(causes: readonly StatusCause[]): Error {
  return invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes)
}
