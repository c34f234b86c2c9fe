import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import type { ServedResource } from '../served-resource.ts'
import { customPaths, schemaPrefix } from './custom-paths.ts'
import { DELETE_OPTIONS_KINDS } from './delete-options-versions.ts'
import { publishedSchema, TYPE_META } from './published-schema.ts'
import { isOpenAtRoot, toSwaggerSchema } from './swagger-schema.ts'

/** Of OpenAPI: a document of version 2 is made from one of version 3 that shows less. */
export type DocumentVersion = 'v2' | 'v3'

/** The OpenAPI document of custom resources of one group and version. `core` is the document of `v1`. */
export function customDocument(
  core: JsonObject,
  resources: readonly ServedResource[],
  version: DocumentVersion,
): JsonObject {
  const paths: Record<string, JsonValue | undefined> = {}
  const own: Record<string, JsonValue | undefined> = {}
  for (const resource of resources) {
    Object.assign(paths, customPaths(core, resource))
    Object.assign(own, schemasOf(resource, version))
  }
  const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' }
  const schemas = { ...own, ...neededSchemas(core, { paths, own }) }
  return { openapi: '3.0.0', info, paths, components: { schemas } }
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.'
const REFERENCE = '#/components/schemas/'

/** The schemas of `core` that a document refers to, with those that they refer to. */
function neededSchemas(core: JsonObject, document: JsonObject): JsonObject {
  const all = (core.components as JsonObject).schemas as JsonObject
  const needed = new Map<string, JsonValue>()
  const waiting = referencesIn(document)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const schema = all[name]
    if (schema === undefined || needed.has(name)) continue
    needed.set(name, schema)
    waiting.push(...referencesIn(schema))
  }
  const options = needed.get(`${META}DeleteOptions`) as JsonObject
  needed.set(`${META}DeleteOptions`, { ...options, 'x-kubernetes-group-version-kind': DELETE_OPTIONS_KINDS })
  return Object.fromEntries(needed)
}

function referencesIn(value: JsonValue): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)].map(([, name = '']) => name)
}

function schemasOf(resource: ServedResource, version: DocumentVersion): JsonObject {
  const { kind, listKind, plural, gvk } = resource
  const name = `${schemaPrefix(resource)}${kind}`
  const list = {
    type: 'object',
    description: `${listKind} is a list of ${kind}`,
    required: ['items'],
    properties: {
      ...TYPE_META,
      metadata: { allOf: [{ $ref: `${REFERENCE}${META}ListMeta` }], description: LIST_METADATA },
      items: {
        type: 'array',
        description: `List of ${plural}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`,
        items: { $ref: REFERENCE + name },
      },
    },
    'x-kubernetes-group-version-kind': [{ ...gvk, kind: listKind }],
  }
  const own = { ...shownSchema(resource, version), 'x-kubernetes-group-version-kind': [gvk] }
  return { [name]: own, [`${schemaPrefix(resource)}${listKind}`]: list }
}

function shownSchema({ schema }: ServedResource, version: DocumentVersion): JsonObject {
  const given = { ...(schema as JsonObject) }
  if (version === 'v3') return publishedSchema(given)
  return isOpenAtRoot(given) ? { type: 'object' } : publishedSchema(toSwaggerSchema(given))
}

const LIST_METADATA =
  'Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds'
