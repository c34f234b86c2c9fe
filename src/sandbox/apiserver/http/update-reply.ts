import { bodyResourceOf } from '../served-resource.ts'
import { createObject } from '../write/create-object.ts'
import { checkUid } from '../write/preconditions.ts'
import { updateScale } from '../write/scale.ts'
import { trackChange } from '../write/track-change.ts'
import { checkNamesMatch, findStored, updateObject } from '../write/update-object.ts'
import type { ServerState, WriteRequest, WriteResult } from '../write/write-request.ts'
import type { ApiRequest } from './api-request.ts'
import { decodeBody } from './decode-body.ts'
import { negotiateObjects, writtenReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

/** PUT. */
export function updateReply({ state }: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  const accepted = negotiateObjects(request)
  const write = parseWriteOptions(request, resource, path, 'UpdateOptions')
  const result = path.subresource === 'scale' ? putScale(state, request, write) : put(state, request, write)
  return writtenReply(bodyResourceOf(resource, path.subresource), result, { request, accepted, now: state.clock.now() })
}

function put(state: ServerState, request: ApiRequest, write: WriteRequest): WriteResult {
  const updated = decodeBody(request, write, state.registry)
  checkNamesMatch(write, updated)
  const creates = write.resource.rules.createOnUpdate === true && write.subresource === ''
  if (creates && !findStored(state, write)) return createObject(state, write, updated)
  return updateObject(state, write, (live) => {
    checkUid(write, updated.metadata.uid, live)
    return trackChange(state, write, { live, updated })
  })
}

function putScale(state: ServerState, request: ApiRequest, write: WriteRequest): WriteResult {
  const scaleWrite = { ...write, resource: bodyResourceOf(write.resource, 'scale') }
  const updated = decodeBody(request, scaleWrite, state.registry)
  checkNamesMatch(write, updated)
  return updateScale(state, write, (live) => trackChange(state, scaleWrite, { live, updated }))
}
