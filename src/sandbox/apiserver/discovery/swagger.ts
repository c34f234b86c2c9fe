import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'

type Fields = Readonly<Record<string, JsonValue>>

/** OpenAPI documents of version 3 as one of version 2, which older clients ask for. */
export function toSwagger(documents: readonly JsonObject[], info: JsonObject): JsonObject {
  const definitions: Record<string, JsonValue> = {}
  const paths: Record<string, JsonValue> = {}
  for (const document of documents) {
    const { schemas = {} } = objectAt(document, 'components') as { schemas?: JsonObject }
    for (const [name, schema] of Object.entries(schemas as Fields)) {
      definitions[name] = mergeKinds(definitions[name], toDefinition(schema as JsonObject))
    }
    for (const [path, item] of Object.entries(objectAt(document, 'paths') as Fields)) paths[path] = toPathItem(item)
  }
  const security = { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' }
  return { swagger: '2.0', info, paths, definitions, securityDefinitions: { BearerToken: security } }
}

const KINDS = 'x-kubernetes-group-version-kind'

/** A kind of all groups lists, in the document of each group, itself in that group. */
function mergeKinds(known: JsonValue | undefined, added: JsonObject): JsonObject {
  const [before, after] = [isJsonObject(known) ? known[KINDS] : undefined, added[KINDS]]
  if (!isJsonArray(before) || !isJsonArray(after)) return added
  const kinds = new Map([...before, ...after].map((kind) => [JSON.stringify(kind), kind]))
  const sorted = [...kinds].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, kind]) => kind)
  return { ...added, [KINDS]: sorted }
}

/** What version 2 has no words for. */
const UNKNOWN = new Set(['nullable', 'oneOf', 'anyOf', 'not', 'x-kubernetes-validations'])

export function toDefinition(schema: JsonObject): JsonObject {
  const reference = referenceOf(schema)
  if (reference !== undefined) {
    const words = Object.entries(schema).filter(([name]) => name === 'description' || name.startsWith('x-'))
    return { ...Object.fromEntries(words), $ref: `#/definitions/${reference}` }
  }
  const fields = Object.entries(schema as Fields).flatMap(([name, value]): [string, JsonValue][] => {
    if (UNKNOWN.has(name) || name === 'default') return []
    return [[name, convertField(name, value)]]
  })
  const type = schema.type === undefined && isJsonArray(schema.oneOf) ? { type: 'string' } : {}
  return { ...Object.fromEntries(fields), ...type }
}

function convertField(name: string, value: JsonValue): JsonValue {
  if (name === 'properties' && isJsonObject(value)) return mapValues(value, toDefinition)
  if ((name === 'items' || name === 'additionalProperties') && isJsonObject(value)) return toDefinition(value)
  if (name === 'allOf' && isJsonArray(value)) return value.map((each) => toDefinition(each as JsonObject))
  return value
}

/** Version 3 wraps a reference that has words of its own. */
function referenceOf({ $ref, allOf }: JsonObject): string | undefined {
  const [only] = isJsonArray(allOf) && allOf.length === 1 ? allOf : []
  const target = $ref ?? (isJsonObject(only) ? only.$ref : undefined)
  return typeof target === 'string' ? target.replace('#/components/schemas/', '') : undefined
}

function toPathItem(item: JsonValue): JsonObject {
  const { parameters, ...operations } = item as JsonObject
  return {
    ...mapValues(operations as JsonObject, toOperation),
    ...(isJsonArray(parameters) && { parameters: parameters.map(toParameter) }),
  }
}

function toOperation(operation: JsonObject): JsonObject {
  const { parameters, requestBody, responses, ...rest } = operation
  const own = isJsonArray(parameters) ? parameters.map(toParameter) : []
  const body = isJsonObject(requestBody) ? [toBody(requestBody)] : []
  return {
    ...rest,
    ...(body.length + own.length > 0 && { parameters: [...body, ...own] }),
    responses: mapValues(responses as JsonObject, toResponse),
  }
}

function toParameter(parameter: JsonValue): JsonObject {
  const { schema, ...rest } = parameter as JsonObject
  return { ...rest, ...(isJsonObject(schema) && toDefinition(schema)) }
}

function toBody({ content }: JsonObject): JsonObject {
  return { name: 'body', in: 'body', required: true, ...schemaOf(content) }
}

function toResponse({ description, content }: JsonObject): JsonObject {
  return { ...(description !== undefined && { description }), ...schemaOf(content) }
}

/** That of the first media type: all have the same. */
function schemaOf(content: JsonValue | undefined): JsonObject {
  const [first] = isJsonObject(content) ? Object.values(content) : []
  return isJsonObject(first) && isJsonObject(first.schema) ? { schema: toDefinition(first.schema) } : {}
}

function mapValues(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object as Fields).map(([key, value]) => [key, change(value as JsonObject)]))
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isJsonObject(value) ? value : {}
}
