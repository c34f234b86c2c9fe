import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { ServedResource } from '../served-resource.ts'

const REFERENCE = '#/components/schemas/'

/**
 * The paths of a custom resource in its OpenAPI document: copied from those of a built-in resource of the same scope
 * (`core` is the document of `v1`), with the names exchanged and what custom resources do not know taken out.
 */
export function customPaths(core: JsonObject, resource: ServedResource): JsonObject {
  const paths = objectAt(core, 'paths')
  const found = Object.entries(paths).filter(([path]) => modelPath(resource).test(path) && !path.includes('/watch/'))
  const own = found.filter(([path]) => !path.endsWith('/status') || resource.subresources.has('status'))
  const renamed = rename(Object.fromEntries(own), resource, modelOf(resource))
  const scale = resource.subresources.has('scale') ? scalePath(paths, resource) : {}
  return adapt({ ...renamed, ...scale }, resource) as JsonObject
}

/** Whether a path of `v1` is one that those of custom resources are copied from. */
export function isModelPath(path: string): boolean {
  return path === SCALE || (MODEL_PATH.test(path) && !path.includes('/watch/'))
}

const MODEL_PATH = /\/(resourcequotas|persistentvolumes)(\/\{name\}(\/status)?)?$/

/** `com.example.cache.v1.` */
export function schemaPrefix({ group, version }: ServedResource): string {
  return `${[...group.split('.').reverse(), version].join('.')}.`
}

interface Model {
  readonly kind: string
  readonly plural: string
}

/** A built-in resource with the same scope and a status. */
function modelOf({ namespaced }: ServedResource): Model {
  return namespaced
    ? { kind: 'ResourceQuota', plural: 'resourcequotas' }
    : { kind: 'PersistentVolume', plural: 'persistentvolumes' }
}

function modelPath(resource: ServedResource): RegExp {
  return new RegExp(`/${modelOf(resource).plural}(/\\{name\\}(/status)?)?$`)
}

const SCALED = { kind: 'ReplicationController', plural: 'replicationcontrollers' }
const SCALE = `/api/v1/namespaces/{namespace}/${SCALED.plural}/{name}/scale`

/** No cluster-scoped built-in resource has a scale: there, the namespace is taken out. */
function scalePath(paths: JsonObject, resource: ServedResource): JsonObject {
  const item = objectAt(paths, SCALE)
  if (resource.namespaced) return rename({ [SCALE]: item }, resource, SCALED)
  const parameters = isJsonArray(item.parameters) ? item.parameters : []
  const clusterItem = { ...item, parameters: parameters.filter((each) => nameOf(each) !== 'namespace') }
  const text = JSON.stringify({ [SCALE.replace('namespaces/{namespace}/', '')]: clusterItem })
  return rename(JSON.parse(text.replaceAll('V1Namespaced', 'V1')), resource, SCALED)
}

function nameOf(parameter: JsonValue): JsonValue | undefined {
  return isJsonObject(parameter) ? parameter.name : undefined
}

function rename(paths: JsonObject, resource: ServedResource, model: Model): JsonObject {
  const { group, version, kind, plural } = resource
  const camel = [...group.split(/[.-]/), version].map(capital).join('')
  const text = JSON.stringify(paths)
    .replaceAll(`${REFERENCE}io.k8s.api.core.v1.`, REFERENCE + schemaPrefix(resource))
    .replaceAll('/api/v1/', `/apis/${group}/${version}/`)
    .replaceAll('CoreV1', camel)
    .replaceAll('core_v1', `${camel.charAt(0).toLowerCase()}${camel.slice(1, -version.length)}_${version}`)
    .replaceAll('name of the Scale', `name of the ${kind}`)
    .replaceAll(model.kind, kind)
    .replaceAll(model.plural, plural)
  return JSON.parse(text)
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

type Paths = Readonly<Record<string, JsonValue>>

function adapt(paths: JsonObject, resource: ServedResource): JsonObject {
  const adapted: Record<string, JsonValue> = {}
  for (const [path, item] of Object.entries(paths as Paths)) {
    const operations = Object.entries(item as Paths).map(([method, operation]): [string, JsonValue] => [
      method,
      isJsonObject(operation) ? adaptOperation(operation, { method, path, item: item as JsonObject }) : operation,
    ])
    adapted[path] = withoutForeign(Object.fromEntries(operations), resource)
  }
  return adapted
}

interface Place {
  readonly method: string
  readonly path: string
  readonly item: JsonObject
}

function adaptOperation(operation: JsonObject, { method, path, item }: Place): JsonObject {
  const isOfOne = path.includes('/{name}')
  if (method === 'delete' && !isOfOne) {
    const { requestBody: _none, ...rest } = operation
    return { ...rest, parameters: objectAt(item, 'get').parameters }
  }
  if (method === 'delete') return { ...operation, ...withBody(operation), responses: statusResponses(operation) }
  if (method === 'get' && isOfOne) return { ...operation, parameters: [RESOURCE_VERSION] }
  if (method === 'get') {
    return { ...operation, description: String(operation.description).replace('list or watch objects', 'list objects') }
  }
  if (method === 'patch') {
    const { 201: _created, ...responses } = objectAt(operation, 'responses') as Record<string, JsonValue>
    return { ...operation, responses }
  }
  return { ...operation, ...withBody(operation) }
}

const RESOURCE_VERSION: JsonObject = {
  name: 'resourceVersion',
  in: 'query',
  description:
    'resourceVersion sets a constraint on what resource versions a request may be served from. See https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions for details.\n\nDefaults to unset',
  schema: { type: 'string', uniqueItems: true },
}

/** Any type, of built-in resources, is JSON or YAML of custom ones. */
function withBody({ requestBody }: JsonObject): JsonObject {
  if (!isJsonObject(requestBody)) return {}
  const content = objectAt(requestBody, 'content')
  const any = content['*/*']
  if (any === undefined) return {}
  return { requestBody: { ...requestBody, content: { 'application/json': any, 'application/yaml': any } } }
}

function statusResponses(operation: JsonObject): JsonObject {
  const text = JSON.stringify(operation.responses)
  const status = `"${REFERENCE}io.k8s.apimachinery.pkg.apis.meta.v1.Status"`
  return JSON.parse(text.replace(/"#\/components\/schemas\/[^"]*"/g, status))
}

/** Custom resources know neither strategic merge patch, protobuf nor watches by `Accept`; operations name their kind. */
function withoutForeign(value: JsonValue, resource: ServedResource): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withoutForeign(item, resource))
  if (!isJsonObject(value)) return value
  const adapted: Record<string, JsonValue> = {}
  for (const [name, inner] of Object.entries(value as Paths)) {
    if (/strategic-merge-patch|protobuf|stream=watch/.test(name)) continue
    const isKind = name === 'x-kubernetes-group-version-kind'
    adapted[name] = isKind ? resource.gvk : withoutForeign(inner, resource)
  }
  return adapted
}

function objectAt(object: JsonObject, key: string): JsonObject {
  return object[key] as JsonObject
}
