import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { trackChange } from '../write/track-change.ts'
import { updateObject } from '../write/update-object.ts'
import { unsupportedMediaType } from './accept.ts'
import { parseJson } from './decode-body.ts'
import { negotiateObjects, objectReply } from './object-reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

/** PATCH. */
export function patchReply({ state }: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  const accepted = negotiateObjects(request)
  const write = parseWriteOptions(request, resource, path, 'PatchOptions')
  if (!request.headers['content-type']?.startsWith('application/merge-patch+json')) throw unsupportedMediaType()
  const patch = parseJson(request.body)
  const result = updateObject(state, write, (live) =>
    trackChange(state, write, { live, updated: mergePatch(live as JsonObject, patch) as KubeObject }),
  )
  const status = result.created ? 201 : 200
  return objectReply(resource, result.object, { request, accepted, now: state.clock.now(), status })
}

function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const result: Record<string, JsonValue | undefined> = { ...(isJsonObject(target) ? target : {}) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = mergePatch(result[key] ?? null, value)
  }
  return result
}
