import { trackChange } from '../write/track-change.ts'
import { checkNamesMatch, updateObject } from '../write/update-object.ts'
import { decodeBody } from './decode-body.ts'
import { negotiateObjects, objectReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

/** PUT. */
export function updateReply({ state }: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  const accepted = negotiateObjects(request)
  const write = parseWriteOptions(request, resource, path, 'UpdateOptions')
  const updated = decodeBody(request, write)
  checkNamesMatch(write, updated)
  const result = updateObject(state, write, (live) => trackChange(state, write, { live, updated }))
  const status = result.created ? 201 : 200
  return objectReply(resource, result.object, { request, accepted, now: state.clock.now(), status })
}
