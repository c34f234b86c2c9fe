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
  /** `spec.items[0]`, and `spec.byName[a]` for what is in a map. */
  readonly path: string
  /** As the schema's complaints have it: `spec.byName.a`. */
  readonly schemaPath: string
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

/** Refuses type and metadata of embedded resources that do not fit their Go types. */
export function checkEmbeddedMeta(object: KubeObject, schema: Schema): void {
  for (const embedded of embeddedIn(object as JsonObject, schema, ROOT)) {
    const problem = metaProblem(embedded)
    if (problem === undefined) continue
    const { apiVersion = '', kind } = object
    const version = quote(apiVersion.slice(apiVersion.indexOf('/') + 1))
    throw badRequest(`${kind} in version ${version} cannot be handled as a ${kind}: ${problem}`)
  }
}

function metaProblem({ path, value, schema }: Embedded): string | undefined {
  const invalid = (field: string, given: JsonValue, why: string): string =>
    `${path}.${field}: Invalid value: ${goJson(given)}: ${why}`
  for (const field of ['apiVersion', 'kind']) {
    const given = value[field]
    if (given !== undefined && typeof given !== 'string') return invalid(field, given, 'must be a string')
  }
  const { metadata } = value
  const metadataSchema = schema.properties?.metadata
  if (metadata === undefined || metadata === null || !metadataSchema) return undefined
  const problem = isJsonObject(metadata)
    ? decodeProblem(metadata, metadataSchema)
    : `json: cannot unmarshal ${jsonTypeOf(metadata)} into Go value of type v1.ObjectMeta`
  return problem === undefined ? undefined : invalid('metadata', metadata, problem)
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

/**
 * All complaints about an object: `errors`, which are those of its schema, and those about embedded resources. The schema, too, complains of
 * one without `apiVersion` or `kind`, but by another path for what is in a map; that complaint is dropped.
 */
export function withEmbeddedErrors(
  errors: readonly FieldError[],
  object: KubeObject,
  schema: Schema,
): readonly FieldError[] {
  const embedded = embeddedIn(object as JsonObject, schema, ROOT)
  const lacking = new Set(embedded.flatMap((one) => lackingIn(one).map((name) => `${one.schemaPath}.${name}`)))
  const others = errors.filter(({ type, field }) => type !== 'Required' || !lacking.has(field))
  return [...others, ...embedded.flatMap(validateOne)]
}

const ROOT = { path: '', schemaPath: '' }

function lackingIn({ value }: Embedded): readonly string[] {
  return ['apiVersion', 'kind'].filter((name) => value[name] === undefined)
}

function validateOne(embedded: Embedded): readonly FieldError[] {
  const { path, value } = embedded
  const { apiVersion, kind, metadata } = value
  const invalid = (field: string, given: JsonValue, detail: string): FieldError => ({
    type: 'Invalid',
    field: `${path}.${field}`,
    value: given,
    detail,
  })
  const errors: FieldError[] = lackingIn(embedded).map((name) => ({
    type: 'Required',
    field: `${path}.${name}`,
    detail: '',
  }))
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

function embeddedIn(
  value: JsonValue | undefined,
  schema: Schema,
  { path, schemaPath }: Pick<Embedded, 'path' | 'schemaPath'>,
): readonly Embedded[] {
  if (schema.definition !== undefined) return []
  if (isJsonArray(value)) {
    const { items } = schema
    const at = (index: number) => ({ path: `${path}[${index}]`, schemaPath: `${schemaPath}[${index}]` })
    return items ? value.flatMap((item, index) => embeddedIn(item, items, at(index))) : []
  }
  if (!isJsonObject(value)) return []
  const own = schema['x-kubernetes-embedded-resource'] === true ? [{ path, schemaPath, value, schema }] : []
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const property = propertySchema(schema, name)
    const isDeclared = schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    const at = {
      path: isDeclared ? childOf(path, name) : `${path}[${name}]`,
      schemaPath: childOf(schemaPath, name),
    }
    return property ? embeddedIn(field, property, at) : []
  })
  return [...own, ...inner]
}

function childOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
