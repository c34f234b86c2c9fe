import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { Gvk } from '../../kube/group-version-kind.ts'
import type { ServedResource } from '../served-resource.ts'

/**
 * The OpenAPI document of custom resources of one group and version. Their paths look like those of built-in resources
 * of the same scope, so they are copied from there (`core`, the document of `v1`) with the names exchanged.
 */
export function customDocument(core: JsonObject, resources: readonly ServedResource[]): JsonObject {
  const paths: Record<string, JsonValue | undefined> = {}
  const schemas: Record<string, JsonValue | undefined> = { ...metaSchemas(core) }
  for (const resource of resources) {
    Object.assign(paths, pathsOf(core, resource))
    Object.assign(schemas, schemasOf(resource))
  }
  const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' }
  return { openapi: '3.0.0', info, paths, components: { schemas } }
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.'
const REFERENCE = '#/components/schemas/'

function metaSchemas(core: JsonObject): JsonObject {
  const all = objectAt(objectAt(core, 'components'), 'schemas')
  return Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(META)))
}

/** A built-in resource with the same scope and a status. */
function modelOf({ namespaced }: ServedResource): { readonly kind: string; readonly plural: string } {
  return namespaced
    ? { kind: 'ResourceQuota', plural: 'resourcequotas' }
    : { kind: 'PersistentVolume', plural: 'persistentvolumes' }
}

function pathsOf(core: JsonObject, resource: ServedResource): JsonObject {
  const model = modelOf(resource)
  const pattern = new RegExp(`/${model.plural}(/\\{name\\}(/(\\w+))?)?$`)
  const found: [string, JsonValue][] = []
  for (const [path, item] of Object.entries(objectAt(core, 'paths'))) {
    const match = pattern.exec(path)
    if (!match || path.includes('/watch/') || item === undefined) continue
    if (match[3] !== undefined && !resource.subresources.has(match[3])) continue
    found.push([path, item])
  }
  return rename(Object.fromEntries(found), resource, model)
}

function rename(paths: JsonObject, resource: ServedResource, model: { kind: string; plural: string }): JsonObject {
  const { group, version, kind, plural } = resource
  const camel = [...group.split(/[.-]/), version].map(capital).join('')
  const text = JSON.stringify(paths)
    .replaceAll(`${REFERENCE}io.k8s.api.core.v1.`, REFERENCE + prefixOf(resource))
    .replaceAll('/api/v1/', `/apis/${group}/${version}/`)
    .replaceAll('CoreV1', camel)
    .replaceAll('core_v1', `${camel.charAt(0).toLowerCase()}${camel.slice(1, -version.length)}_${version}`)
    .replaceAll(model.kind, kind)
    .replaceAll(model.plural, plural)
  return adapt(JSON.parse(text), resource.gvk) as JsonObject
}

/** Custom resources know neither strategic merge patch nor protobuf, and operations name their kind. */
function adapt(value: JsonValue, gvk: Gvk): JsonValue {
  if (Array.isArray(value)) return value.map((item) => adapt(item, gvk))
  if (!isJsonObject(value)) return value
  const adapted: Record<string, JsonValue> = {}
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes('strategic-merge-patch') || name.includes('protobuf')) continue
    const isOwnKind = name === 'x-kubernetes-group-version-kind' && isJsonObject(inner) && inner.group === ''
    adapted[name] = isOwnKind ? gvk : adapt(inner as JsonValue, gvk)
  }
  return adapted
}

function schemasOf(resource: ServedResource): JsonObject {
  const { kind, listKind, plural, gvk } = resource
  const name = `${prefixOf(resource)}${kind}`
  const { metadata: _metadata, ...properties } = { ...resource.schema?.properties }
  const metadata = { allOf: [{ $ref: `${REFERENCE}${META}ObjectMeta` }], description: "Standard object's metadata." }
  const list = {
    type: 'object',
    description: `${listKind} is a list of ${kind}`,
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [{ $ref: `${REFERENCE}${META}ListMeta` }] },
      items: { type: 'array', description: `List of ${plural}.`, items: { $ref: REFERENCE + name } },
    },
    'x-kubernetes-group-version-kind': [{ ...gvk, kind: listKind }],
  }
  const own = { ...(resource.schema as JsonObject), properties: { ...(properties as JsonObject), metadata } }
  return { [name]: own, [`${prefixOf(resource)}${listKind}`]: list }
}

/** `com.example.cache.v1.` */
function prefixOf({ group, version }: ServedResource): string {
  return `${[...group.split('.').reverse(), version].join('.')}.`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function objectAt(object: JsonObject, key: string): JsonObject {
  return object[key] as JsonObject
}
