import { createObject } from '../write/create-object.ts'
import { decodeBody } from './decode-body.ts'
import { negotiateObjects, objectReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

/** POST to a collection. */
export function createReply({ state }: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  const accepted = negotiateObjects(request)
  const write = parseWriteOptions(request, resource, path, 'CreateOptions')
  const { object } = createObject(state, write, decodeBody(request, write))
  return objectReply(resource, object, { request, accepted, now: state.clock.now(), status: 201 })
}
