import type { JsonObject } from '../../../core/base/json.ts'
import { methodNotAllowed, nothingThere } from '../api-status.ts'
import { apiGroup, apiGroupList, apiVersions, groupsOf, isRemote } from '../discovery/api-groups.ts'
import type { OpenApiDocuments } from '../discovery/open-api.ts'
import { aggregatedDiscovery, apiResourceList } from '../discovery/resource-lists.ts'
import { swaggerProtobuf } from '../discovery/swagger-protobuf.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import { negotiate, noFormLeft, notAcceptableAsJson, type Transform } from './accept.ts'
import { parseApiPath } from './api-path.ts'
import type { ApiRequest } from './api-request.ts'
import { healthReply, isHealthPath } from './health-reply.ts'
import { metricsReply } from './metrics-reply.ts'
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
  const [root = '', ...rest] = request.segments
  if (root === 'api' || root === 'apis') return apiReply(server, request)
  if (root === 'openapi') return openApiReply(server, request)
  if (root === 'version') return versionReply(server, request)
  if (root === 'metrics' && rest.length === 0) return metricsReply(server)
  if (isHealthPath(root)) return healthReply(root, request)
  return root === '' && rest.length === 0 ? jsonReply({ paths: servedPaths(server) }) : pageNotFound()
}

function apiReply(server: RouterOptions, request: ApiRequest): Reply {
  const [root, group = '', version = ''] = request.segments
  if (root === 'apis' && isRemote(server.state, group, version)) return UNREACHABLE
  const document = discoveryReply(server, request)
  if (document) return document
  const path = parseApiPath(request.segments)
  if (path) return resourceReply(server, request, path)
  if (root === 'api' || server.state.registry.isBuiltin(group)) throw nothingThere()
  return pageNotFound()
}

/** What the server says in place of a program that serves a part of the API, and cannot be reached. */
const UNREACHABLE: Reply = {
  ...textReply('service unavailable\n', 503),
  headers: { 'X-Content-Type-Options': 'nosniff' },
}

function versionReply({ version }: RouterOptions, request: ApiRequest): Reply {
  if (request.segments.slice(1).join('') !== '') throw nothingThere()
  onlyGet(request)
  negotiate(request.headers.accept, { isServed: () => true, withYaml: false, refuse: notAcceptableAsJson })
  return jsonReply(version)
}

function onlyGet({ method }: ApiRequest): void {
  if (method !== 'GET') throw methodNotAllowed()
}

/** `/`: where something is. */
function servedPaths({ state }: RouterOptions): readonly string[] {
  const groups = groupsOf(state).flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.filter((version) => !version.isRemote).map((version) => `/apis/${name}/${version.name}`),
  ])
  const others = ['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version']
  return ['/api', '/api/v1', '/apis', '/apis/', ...groups, ...others].sort()
}

function openApiReply({ openApi }: RouterOptions, { segments, headers }: ApiRequest): Reply {
  const [, version, ...rest] = segments
  if (version === 'v2' && rest.length === 0) return swaggerReply(openApi.v2(), headers.accept ?? '')
  if (version !== 'v3') return pageNotFound()
  const path = rest.join('/')
  if (rest.length === 0) return jsonReply(openApi.index())
  const body = openApi.document(path)
  if (body === undefined) return { status: 404, contentType: '', body: '' }
  return { status: 200, contentType: 'application/json', body }
}

/** kubectl asks for it in protobuf, and reads nothing else. */
function swaggerReply(document: JsonObject, accept: string): Reply {
  if (!/^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/.test(accept)) return jsonReply(document)
  const contentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
  return { status: 200, contentType, body: swaggerProtobuf(document) }
}

/** Everything under `/api` and `/apis` that is about resources as such. */
function discoveryReply(server: RouterOptions, request: ApiRequest): BodyReply | undefined {
  const { registry } = server.state
  const [root, ...rest] = request.segments
  const [first = '', second = '', third] = rest.filter((segment) => segment !== '')
  if (third !== undefined || (root === 'api' && second !== '')) return undefined
  if (root === 'api' && first === '') onlyGet(request)
  if (first === '') return rootReply(server, request, root === 'api' ? 'api' : 'apis')
  const [group, version] = root === 'api' ? ['', first] : [first, second]
  if (version !== '') return versionDocument(registry, request, [group, version])
  const document = apiGroup(server.state, group)
  return document && jsonReply(document)
}

function versionDocument(
  registry: ResourceRegistry,
  request: ApiRequest,
  [group, version]: readonly [string, string],
): BodyReply | undefined {
  if (!registry.hasGroupVersion(group, version)) return undefined
  onlyGet(request)
  return jsonReply(apiResourceList(registry, group, version))
}

function rootReply(server: RouterOptions, request: ApiRequest, root: 'api' | 'apis'): BodyReply {
  const { transform } = negotiate(request.headers.accept, {
    isServed: isAggregated,
    withYaml: request.printYaml !== undefined,
    refuse: noFormLeft,
  })
  if (!transform) return jsonReply(root === 'api' ? apiVersions(server.serverAddress) : apiGroupList(server.state))
  const body = JSON.stringify(aggregatedDiscovery(server.state, root, transform.version))
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${transform.version};as=APIGroupDiscoveryList`
  return { status: 200, contentType, body, headers: { Vary: 'Accept' } }
}

function isAggregated({ group, version, kind }: Transform): boolean {
  return group === 'apidiscovery.k8s.io' && version === 'v2' && kind === 'APIGroupDiscoveryList'
}
