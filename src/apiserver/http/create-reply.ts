import { answerReview, isReview } from '../access/reviews.ts'
import { createObject } from '../write/create-object.ts'
import { trackChange } from '../write/track-change.ts'
import { decodeBody } from './decode-body.ts'
import { negotiateObjects, objectReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

/** POST to a collection. */
export function createReply({ state, tokens }: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  const accepted = negotiateObjects(request)
  const write = parseWriteOptions(request, resource, path, 'CreateOptions')
  const decoded = decodeBody(request, write, state.registry)
  const object = isReview(resource.table)
    ? answerReview(resource.table, trackChange(state, write, { updated: decoded }), {
        user: request.user,
        tokens,
        now: state.clock.now(),
      })
    : createObject(state, write, decoded).object
  return objectReply(resource, object, { request, accepted, now: state.clock.now(), status: 201 })
}
