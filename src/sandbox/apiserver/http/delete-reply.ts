import type { JsonObject } from '../../../core/base/json.ts'
import { type DeleteRequest, deleteObject, prepareDelete } from '../lifecycle/delete-object.ts'
import { type DeleteOptions, parseDeleteOptions } from './delete-options.ts'
import { listPage, parseListOptions } from './list-options.ts'
import { listReply, negotiateObjects, objectReply } from './object-reply.ts'
import { jsonReply, type Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

/** DELETE of one object. */
export function deleteReply({ state }: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource } = found
  const accepted = negotiateObjects(request)
  const options = deletionOf(found)
  if (resource.table === 'batch/jobs' && options.propagationPolicy === undefined) request.warn(JOB_WARNING)
  const { object, removed } = deleteObject(state, { ...options, isShownFirst: true })
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
  const options = { ...deletionOf(found), isOfCollection: true }
  const listOptions = parseListOptions(resource, request.query)
  const page = listPage(state.store, found, listOptions)
  for (const { namespace, name } of page.items) prepareDelete(state, { ...options, namespace, name })
  for (const { namespace, name } of page.items) deleteObject(state, { ...options, namespace, name })
  return listReply(resource, page, { request, accepted, now: state.clock.now() })
}

type Deletion = DeleteRequest & DeleteOptions

/** Where options stand in a body, those of the query do not count; managers and validation have no part in it. */
function deletionOf({ request, resource, path }: ResourceRequest): Deletion {
  const options = parseDeleteOptions(request)
  const write = parseWriteOptions({ ...request, query: NO_QUERY }, resource, path, 'DeleteOptions')
  return { ...write, ...options, options: givenOptions(options) }
}

function givenOptions({ dryRun, preconditions, ...options }: DeleteOptions): JsonObject {
  const { uid, resourceVersion } = preconditions
  const { orphanDependents, propagationPolicy, gracePeriodSeconds } = options
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...((uid ?? resourceVersion) !== undefined && {
      preconditions: { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) },
    }),
    ...(orphanDependents !== undefined
      ? { orphanDependents }
      : propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun && { dryRun: ['All'] }),
  }
}

const NO_QUERY = new URLSearchParams()
