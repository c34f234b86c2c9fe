import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject, ObjectMeta } from '../../../core/kube/object.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import { goJson } from '../../../core/schema/go-json.ts'
import { additionalSchemaOf, propertySchema, type Schema } from '../../../core/schema/schema.ts'
import { badRequest, quote } from '../api-status.ts'
import { goDecoder } from '../kinds/decode/empty-parts.ts'
import { jsonTypeOf } from '../kinds/decode/go-types.ts'
import { checkLabel1035 } from '../write/names.ts'
import { validateMeta } from '../write/validate-meta.ts'

/** An object inside of another one that has to be a resource, too. */
interface Embedded {
  readonly path: string
  readonly value: JsonObject
  readonly schema: Schema
}

/** Whether objects of the schema can have others inside. */
export function hasEmbedded(schema: Schema): boolean {
  if (schema.definition !== undefined) return false
  if (schema['x-kubernetes-embedded-resource'] === true) return true
  const inner = [schema.items, additionalSchemaOf(schema), ...Object.values(schema.properties ?? {})]
  return inner.some((one) => one !== undefined && hasEmbedded(one))
}

/** Refuses metadata of embedded resources that does not fit its Go type. */
export function checkEmbeddedMetadata(object: KubeObject, schema: Schema): void {
  for (const { path, value, schema: inner } of embeddedIn(object as JsonObject, schema, '')) {
    const { metadata } = value
    const metadataSchema = inner.properties?.metadata
    if (metadata === undefined || metadata === null || !metadataSchema) continue
    const problem = isJsonObject(metadata)
      ? decodeProblem(metadata, metadataSchema)
      : `json: cannot unmarshal ${jsonTypeOf(metadata)} into Go value of type v1.ObjectMeta`
    if (problem === undefined) continue
    const { apiVersion = '', kind } = object
    const version = quote(apiVersion.slice(apiVersion.indexOf('/') + 1))
    const where = `${path}.metadata: Invalid value: ${goJson(metadata)}`
    throw badRequest(`${kind} in version ${version} cannot be handled as a ${kind}: ${where}: ${problem}`)
  }
}

function decodeProblem(metadata: JsonObject, schema: Schema): string | undefined {
  try {
    goDecoder(schema)({ apiVersion: 'v1', kind: 'Any', ...metadata } as KubeObject)
    return undefined
  } catch (error) {
    const { message } = error as Error
    return message.slice(message.indexOf('json: '))
  }
}

/** Complaints about embedded resources, besides those about their fields. */
export function validateEmbedded(object: KubeObject, schema: Schema): readonly FieldError[] {
  return embeddedIn(object as JsonObject, schema, '').flatMap(validateOne)
}

function validateOne({ path, value }: Embedded): readonly FieldError[] {
  const { apiVersion, kind, metadata } = value
  const invalid = (field: string, given: JsonValue, detail: string): FieldError => ({
    type: 'Invalid',
    field: `${path}.${field}`,
    value: given,
    detail,
  })
  const errors: FieldError[] = []
  if (apiVersion === '') errors.push(invalid('apiVersion', '', 'must not be empty'))
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    errors.push(invalid('apiVersion', apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
  }
  if (kind === '') errors.push(invalid('kind', '', 'must not be empty'))
  const problems = typeof kind === 'string' && kind !== '' ? checkLabel1035(kind.toLowerCase()) : []
  if (problems.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`
    errors.push(invalid('kind', kind as string, detail))
  }
  const meta = isJsonObject(metadata) ? metadata : {}
  const named = { ...meta, name: meta.name || 'fakename' } as ObjectMeta
  const about = validateMeta(named, { custom: true, group: '', kind: '', rules: { nameFormat: 'path-segment' } })
  return [...errors, ...about.map((error) => ({ ...error, field: `${path}.${error.field}` }))]
}

function embeddedIn(value: JsonValue | undefined, schema: Schema, path: string): readonly Embedded[] {
  if (schema.definition !== undefined) return []
  if (isJsonArray(value)) {
    const { items } = schema
    return items ? value.flatMap((item, index) => embeddedIn(item, items, `${path}[${index}]`)) : []
  }
  if (!isJsonObject(value)) return []
  const own = schema['x-kubernetes-embedded-resource'] === true ? [{ path, value, schema }] : []
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const property = propertySchema(schema, name)
    const isDeclared = schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    const at = isDeclared ? `${path === '' ? '' : `${path}.`}${name}` : `${path}[${name}]`
    return property ? embeddedIn(field, property, at) : []
  })
  return [...own, ...inner]
}
