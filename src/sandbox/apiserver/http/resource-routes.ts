import { badRequest, methodNotAllowed, notFound, nothingThere, notSupported } from '../api-status.ts'
import { bodyResourceOf, presentObject, type ServedResource } from '../served-resource.ts'
import { tooLarge } from '../store/list-objects.ts'
import { readScale } from '../write/scale.ts'
import { notAcceptableAsStream, prefersYaml } from './accept.ts'
import { actionOf, actionReply, notImplemented } from './action-reply.ts'
import type { ApiPath } from './api-path.ts'
import type { ApiRequest } from './api-request.ts'
import { createReply } from './create-reply.ts'
import { deleteCollectionReply, deleteReply } from './delete-reply.ts'
import { listPage, parseListOptions } from './list-options.ts'
import { logReply } from './log-reply.ts'
import { listReply, negotiateList, negotiateObjects, objectReply, storedReply } from './object-reply.ts'
import { patchReply } from './patch-reply.ts'
import { pageNotFound, type Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { updateReply } from './update-reply.ts'
import { parseWatchRevision, watchReply } from './watch-reply.ts'

/** Answers a request about a resource. */
export function resourceReply(server: ResourceServer, request: ApiRequest, path: ApiPath): Reply {
  const resource = server.state.registry.at(path.group, path.version, path.plural)
  const verbs = resource && verbsAt(resource, path)
  if (!verbs) return unknownResource(server, path, resource)
  const found: ResourceRequest = { request, resource, path }
  if (resource.deprecation !== undefined) request.warn(resource.deprecation)
  if (path.isWatch) return oldWatchReply(server, found)
  return path.name === '' ? collectionReply(server, found) : namedReply(server, found, verbs)
}

/** Below a built-in group, the real server says it with a Status; of custom resources it looks for the object first. */
function unknownResource({ state }: ResourceServer, path: ApiPath, resource: ServedResource | undefined): Reply {
  if (state.registry.isBuiltin(path.group)) throw nothingThere()
  const isBelow = resource?.namespaced === (path.namespace !== undefined) && path.subresource !== ''
  if (resource && isBelow) throw notFound(resource, path.name)
  return pageNotFound()
}

/** `undefined` when the resource has no such path. */
function verbsAt(resource: ServedResource, { namespace, name, subresource }: ApiPath): readonly string[] | undefined {
  if (!resource.namespaced && namespace !== undefined) return undefined
  if (resource.namespaced && namespace === undefined && name !== '') return undefined
  if (name !== '' && !resource.verbs.some((verb) => OF_ONE.has(verb))) return undefined
  return subresource === '' ? resource.verbs : resource.subresources.get(subresource)?.verbs
}

const OF_ONE = new Set(['get', 'update', 'patch', 'delete'])

function collectionReply(server: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource, path } = found
  if (request.method === 'GET' && resource.verbs.includes('list')) return listOrWatch(server, found)
  const isCreatable = !resource.namespaced || path.namespace !== undefined
  if (request.method === 'POST' && resource.verbs.includes('create') && isCreatable) return createReply(server, found)
  if (request.method === 'DELETE' && resource.verbs.includes('deletecollection') && isCreatable) {
    return deleteCollectionReply(server, found)
  }
  throw methodNotAllowed()
}

/** GET below `/api/v1/watch`: of a collection, or of one object. */
function oldWatchReply(server: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource, path } = found
  if (!resource.verbs.includes('watch')) return unknownResource(server, path, undefined)
  if (request.method !== 'GET') throw methodNotAllowed()
  const query = new URLSearchParams(request.query)
  query.set('watch', 'true')
  if (path.name !== '') query.set('fieldSelector', nameSelector(query.get('fieldSelector') ?? '', path.name))
  return listOrWatch(server, { ...found, request: { ...request, query } })
}

/** @throws ApiError 400 */
function nameSelector(given: string, name: string): string {
  const wanted = `metadata.name=${name}`
  if (given === '' || given.split(',').includes(wanted)) return given || wanted
  throw badRequest("fieldSelector metadata.name doesn't match requested name")
}

function namedReply(server: ResourceServer, found: ResourceRequest, verbs: readonly string[]): Reply {
  const { request, resource, path } = found
  if (path.subresource === 'log') return logReply(server, found)
  if (NEEDS_NODE.has(path.subresource)) throw notImplemented(`${resource.plural}/${path.subresource}`)
  switch (request.method) {
    case 'GET':
      if (verbs.includes('get')) return getReply(server, found)
      break
    case 'PUT':
      if (verbs.includes('update')) return updateReply(server, found)
      break
    case 'PATCH':
      if (verbs.includes('patch')) return patchReply(server, found)
      break
    case 'DELETE':
      if (verbs.includes('delete')) return deleteReply(server, found)
      break
  }
  const action = request.method === 'POST' ? actionOf(found) : undefined
  if (action) return actionReply(server, found, action)
  throw methodNotAllowed()
}

const NEEDS_NODE = new Set(['exec', 'attach', 'portforward', 'proxy'])

function getReply({ state }: ResourceServer, { request, resource, path }: ResourceRequest): Reply {
  const accepted = negotiateObjects(request)
  const wanted = parseWatchRevision(request.query.get('resourceVersion') ?? '')
  if (wanted > state.store.revision) throw tooLarge(wanted, state.store.revision)
  const stored = state.store.get(resource.table, path.namespace ?? '', path.name)
  if (!stored) throw notFound(resource, path.name)
  const form = { request, accepted, now: state.clock.now() }
  if (path.subresource !== 'scale') return storedReply(resource, stored, form)
  const scale = readScale(resource, presentObject(resource, stored.object))
  return objectReply(bodyResourceOf(resource, 'scale'), scale, { ...form, status: 200 })
}

function listOrWatch(server: ResourceServer, found: ResourceRequest): Reply {
  const { request, resource, path } = found
  const accepted = negotiateList(request)
  const options = parseListOptions(resource, request.query)
  const { namespace } = path
  if (options.watch && !resource.verbs.includes('watch')) throw notSupported(resource, 'watch')
  if (options.watch && prefersYaml(request.headers.accept)) throw notAcceptableAsStream()
  if (options.watch) return watchReply(server.state, server.hub, { request, resource, namespace, options, accepted })
  const page = listPage(server.state.store, found, options)
  return listReply(resource, page, { request, accepted, now: server.state.clock.now() })
}
