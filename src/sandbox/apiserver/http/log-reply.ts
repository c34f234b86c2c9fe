import type { JsonObject } from '../../../core/base/json.ts'
import { badRequest, methodNotAllowed, notFound } from '../api-status.ts'
import { itemsAt, objectAt, textAt } from '../kinds/common/fields.ts'
import { type Reply, textReply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'

/**
 * GET of the log of a pod. Containers are simulated, so the log says only that. Which container is meant, and what is refused, follows
 * `LogLocation` in Kubernetes' `pkg/registry/core/pod/strategy.go`.
 */
export function logReply({ state }: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  if (request.method !== 'GET') throw methodNotAllowed()
  const stored = state.store.get(resource.table, path.namespace ?? '', path.name)
  if (!stored) throw notFound(resource, path.name)
  const spec = objectAt(stored.object, 'spec')
  const container = containerOf(spec, path.name, request.query.get('container') ?? '')
  // The real server has no kubelet to ask then.
  if (textAt(spec, 'nodeName') === '') return textReply('')
  const image = textAt(container, 'image')
  return textReply(
    `rolebook sandbox: container "${textAt(container, 'name')}" (${image}) is simulated and writes no log\n`,
  )
}

/** @throws ApiError 400 */
function containerOf(spec: JsonObject, pod: string, name: string): JsonObject {
  const containers = itemsAt(spec, 'containers')
  const others = [...itemsAt(spec, 'initContainers'), ...itemsAt(spec, 'ephemeralContainers')]
  if (name !== '') {
    const named = [...containers, ...others].find((one) => textAt(one, 'name') === name)
    if (!named) throw badRequest(`container ${name} is not valid for pod ${pod}`)
    return named
  }
  const [first] = containers
  if (first && containers.length === 1) return first
  throw badRequest(
    `a container name must be specified for pod ${pod}, choose one of: ${namesOf(containers)}${initOf(spec)}`,
  )
}

function initOf(spec: JsonObject): string {
  const containers = itemsAt(spec, 'initContainers')
  return containers.length === 0 ? '' : ` or one of the init containers: ${namesOf(containers)}`
}

function namesOf(containers: readonly JsonObject[]): string {
  return `[${containers.map((one) => textAt(one, 'name')).join(' ')}]`
}
