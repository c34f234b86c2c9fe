import { answerReview, isReview } from '../access/reviews.ts'
import { createObject } from '../write/create-object.ts'
import { ensureNamespace, wipeSystemFields } from '../write/object-meta.ts'
import { trackChange } from '../write/track-change.ts'
import { bindNamedPod } from './action-reply.ts'
import { decodeBody } from './decode-body.ts'
import { negotiateActions, negotiateObjects, objectReply, writtenReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

const BINDINGS = '/bindings'

/** POST to a collection. */
export function createReply(server: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  const { state, tokens, authorizer } = server
  const isStored = resource.table !== BINDINGS && !isReview(resource.table)
  const accepted = isStored ? negotiateObjects(request) : negotiateActions(request)
  const form = { request, accepted, now: state.clock.now() }
  const write = parseWriteOptions(request, resource, path, 'CreateOptions')
  const decoded = decodeBody(request, write, state.registry)
  if (isStored) return writtenReply(resource, createObject(state, write, decoded), form)
  if (resource.table === BINDINGS) return bindNamedPod(server, write, ensureNamespace(decoded, write))
  const asked = trackChange(state, write, { updated: ensureNamespace(wipeSystemFields(decoded), write) })
  const { namespace } = write
  const context = { user: request.user, namespace, tokens, authorizer, now: form.now }
  const answered = answerReview(resource.table, asked, context)
  return objectReply(resource, answered, { ...form, status: 201 })
}
