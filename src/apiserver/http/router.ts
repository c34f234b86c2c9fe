import type { JsonObject } from '../../base/json.ts'
import { attributesOf } from '../access/attributes.ts'
import { authorize } from '../access/authorize.ts'
import { nothingThere } from '../api-status.ts'
import { apiGroup, apiGroupList, apiVersions } from '../discovery/api-groups.ts'
import type { OpenApiDocuments } from '../discovery/open-api.ts'
import { aggregatedDiscovery, apiResourceList } from '../discovery/resource-lists.ts'
import { negotiate, noFormLeft, type Transform } from './accept.ts'
import { parseApiPath } from './api-path.ts'
import type { ApiRequest } from './api-request.ts'
import { type BodyReply, jsonReply, pageNotFound, type Reply, textReply } from './reply.ts'
import type { ResourceServer } from './resource-request.ts'
import { resourceReply } from './resource-routes.ts'

export interface RouterOptions extends ResourceServer {
  /** `127.0.0.1:8443`. */
  readonly serverAddress: string
  /** The body of `/version`. */
  readonly version: JsonObject
  readonly openApi: OpenApiDocuments
}

/** From a path to its handler. */
export function route(server: RouterOptions, request: ApiRequest): Reply {
  const [root = '', group = '', version = '', ...rest] = request.segments
  authorize(server.authorizer, request.user, attributesOf(request))
  if (root === 'api' || root === 'apis') {
    const path = parseApiPath(request.segments)
    const document = discoveryReply(server, request)
    if (document) return document
    if (path) return resourceReply(server, request, path)
    if (root === 'apis' && server.state.registry.isBuiltin(group)) throw nothingThere()
    return pageNotFound()
  }
  if (root === 'openapi') return openApiReply(server, request)
  if (rest.length > 0 || version !== '') return pageNotFound()
  return plainReply(server, root, group) ?? pageNotFound()
}

function plainReply({ version }: RouterOptions, root: string, check: string): Reply | undefined {
  if (root === 'healthz' || root === 'livez' || root === 'readyz') return textReply('ok')
  if (check !== '') return undefined
  if (root === 'version') return jsonReply(version)
  return undefined
}

function openApiReply({ openApi }: RouterOptions, { segments }: ApiRequest): Reply {
  const [, version, ...rest] = segments
  if (version === 'v2' && rest.length === 0) return jsonReply(openApi.v2())
  if (version !== 'v3') return pageNotFound()
  const path = rest.join('/')
  if (path === '') return jsonReply(openApi.index())
  const body = openApi.document(path)
  return body === undefined ? pageNotFound() : { status: 200, contentType: 'application/json', body }
}

/** Everything under `/api` and `/apis` that is about resources as such. */
function discoveryReply(server: RouterOptions, request: ApiRequest): BodyReply | undefined {
  const { registry } = server.state
  const [root, first = '', second = '', ...rest] = request.segments.filter((segment) => segment !== '')
  if (rest.length > 0) return undefined
  if (first === '') return rootReply(server, request, root === 'api' ? 'api' : 'apis')
  const [group, version] = root === 'api' ? ['', first] : [first, second]
  if (root === 'api' && second !== '') return undefined
  if (version !== '') {
    return registry.hasGroupVersion(group, version) ? jsonReply(apiResourceList(registry, group, version)) : undefined
  }
  const document = apiGroup(registry, group)
  return document && jsonReply(document)
}

function rootReply(server: RouterOptions, request: ApiRequest, root: 'api' | 'apis'): BodyReply {
  const { registry } = server.state
  const { transform } = negotiate(request.headers.accept, isAggregated, noFormLeft)
  if (!transform) return jsonReply(root === 'api' ? apiVersions(server.serverAddress) : apiGroupList(registry))
  const body = JSON.stringify(aggregatedDiscovery(registry, root, transform.version))
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${transform.version};as=APIGroupDiscoveryList`
  return { status: 200, contentType, body, headers: { Vary: 'Accept' } }
}

function isAggregated({ group, version, kind }: Transform): boolean {
  return group === 'apidiscovery.k8s.io' && version === 'v2' && kind === 'APIGroupDiscoveryList'
}
