import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'

const OBJECT_META = {
  allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
  description:
    "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
}

/** Fields of whole objects within objects. */
const EMBEDDED = {
  apiVersion: {
    type: 'string',
    description:
      'apiVersion defines the versioned schema of this representation of an object. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
  },
  kind: {
    type: 'string',
    description:
      'kind is a string value representing the type of this object. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
  },
  metadata: OBJECT_META,
}

const ROOT = {
  apiVersion: {
    type: 'string',
    description:
      'APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
  },
  kind: {
    type: 'string',
    description:
      'Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
  },
}

/** The `apiVersion` and `kind` of lists. */
export const TYPE_META: JsonObject = ROOT

/** The schema of a custom resource as OpenAPI documents show it. */
export function publishedSchema(schema: JsonObject): JsonObject {
  return { ...publish(schema), properties: { ...publishedFields(schema), ...ROOT, metadata: OBJECT_META } }
}

function publishedFields({ properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, isJsonObject(field) ? publish(field) : field]),
  )
}

function publish(schema: JsonObject): JsonObject {
  const published: Record<string, JsonValue | undefined> = { ...schema }
  for (const keyword of ['items', 'additionalProperties']) {
    const inner = schema[keyword]
    if (isJsonObject(inner)) published[keyword] = publish(inner)
  }
  if (schema.properties !== undefined) published.properties = publishedFields(schema)
  // Where any field may be, a document of version 2 shows neither a type nor fields.
  if (schema['x-kubernetes-embedded-resource'] === true && schema.type !== undefined) {
    published.properties = { ...(published.properties as JsonObject | undefined), ...EMBEDDED }
    const required = isJsonArray(schema.required) ? schema.required : []
    published.required = [...required.filter((name) => !TYPE_FIELDS.includes(String(name))), ...TYPE_FIELDS]
  }
  if (schema['x-kubernetes-int-or-string'] === true && !saysIntOrString(schema)) published.anyOf = INT_OR_STRING
  return published
}

/** In the order in which the real server adds them. */
const TYPE_FIELDS = ['kind', 'apiVersion']

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }]

function saysIntOrString({ anyOf, allOf }: JsonObject): boolean {
  return (
    anyOf !== undefined || (isJsonArray(allOf) && allOf.some((each) => isJsonObject(each) && each.anyOf !== undefined))
  )
}
