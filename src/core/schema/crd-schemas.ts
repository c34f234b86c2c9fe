import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../base/json.ts'
import { checkDefaults } from './check-defaults.ts'
import { checkKeywords } from './check-keywords.ts'
import { checkStructural, forbidden } from './check-structural.ts'
import type { FieldError } from './field-error.ts'
import type { Schema } from './schema.ts'

/** The parts of a CustomResourceDefinition that schemas are made of. */
export interface CrdSchemaSource {
  readonly spec?: JsonValue | undefined
}

/**
 * Schemas of the versions of a CRD, by version, with `apiVersion`, `kind` and `metadata` added at the root and in embedded
 * resources. A version without a schema has none here.
 *
 * @param objectMeta - the built-in schema of `ObjectMeta`
 */
export function crdSchemas(crd: CrdSchemaSource, objectMeta: Schema): ReadonlyMap<string, Schema> {
  const spec = isJsonObject(crd.spec) ? crd.spec : {}
  const names = isJsonObject(spec.names) ? spec.names : {}
  const versions = isJsonArray(spec.versions) ? spec.versions.filter(isJsonObject) : []
  const schemas = new Map<string, Schema>()
  for (const version of versions) {
    const schema = schemaOf(version)
    if (schema === undefined) continue
    const gvk = { group: String(spec.group), version: String(version.name), kind: String(names.kind) }
    const resource = withEmbedded(schema, objectMeta)
    schemas.set(gvk.version, { ...asResource(resource, objectMeta), 'x-kubernetes-group-version-kind': [gvk] })
  }
  return schemas
}

function schemaOf(version: JsonObject): Schema | undefined {
  const validation = version.schema
  const schema = isJsonObject(validation) ? validation.openAPIV3Schema : undefined
  return isJsonObject(schema) ? (schema as Schema) : undefined
}

function asResource(schema: Schema, objectMeta: Schema): Schema {
  const { apiVersion, kind, ...own } = schema.properties ?? {}
  const typeMeta = { apiVersion: { ...apiVersion, ...TEXT }, kind: { ...kind, ...TEXT } }
  return { ...schema, properties: { ...own, ...typeMeta, metadata: objectMeta } }
}

const TEXT: Schema = { type: 'string' }

/** Embedded resources at any depth get the fields that every object has. */
function withEmbedded(schema: Schema, objectMeta: Schema): Schema {
  const { properties, items, additionalProperties } = schema
  const inner: { -readonly [key in keyof Schema]: Schema[key] } = { ...schema }
  if (properties !== undefined) {
    inner.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, withEmbedded(property, objectMeta)]),
    )
  }
  if (items !== undefined) inner.items = withEmbedded(items, objectMeta)
  if (typeof additionalProperties === 'object') {
    inner.additionalProperties = withEmbedded(additionalProperties, objectMeta)
  }
  if (schema['x-kubernetes-embedded-resource'] !== true) return inner
  const required = new Set([...(schema.required ?? []), 'apiVersion', 'kind'])
  return { ...asResource(inner, objectMeta), required: [...required] }
}

/** What the server says against the schemas of a CRD: structural rules, keywords, defaults, but not CEL rules. */
export function checkCrdSchemas(crd: CrdSchemaSource, checkMore: SchemaCheck = nothing): readonly FieldError[] {
  return schemasToCheck(crd).flatMap(([schema, path]) => {
    const { errors, isStructural } = checkSchema(schema, path)
    return [...errors, ...(isStructural ? checkMore(schema, path, errors) : [])]
  })
}

/** Asked about a schema that is structural, though there may be other complaints. */
export type SchemaCheck = (schema: Schema, path: string, errors: readonly FieldError[]) => readonly FieldError[]

function nothing(): readonly FieldError[] {
  return []
}

/** When all versions have the same schema, the real server keeps it in one place. */
function schemasToCheck(crd: CrdSchemaSource): readonly (readonly [Schema, string])[] {
  const spec = isJsonObject(crd.spec) ? crd.spec : {}
  const schemas = (isJsonArray(spec.versions) ? spec.versions : []).map((version) =>
    isJsonObject(version) ? schemaOf(version) : undefined,
  )
  const [first] = schemas
  const same = schemas.every((schema) => jsonEquals(schema as JsonValue | undefined, first as JsonValue | undefined))
  if (same) return first === undefined ? [] : [[first, 'spec.validation.openAPIV3Schema']]
  return schemas.flatMap((schema, index) =>
    schema === undefined ? [] : [[schema, `spec.versions[${index}].schema.openAPIV3Schema`] as const],
  )
}

function checkSchema(
  schema: Schema,
  path: string,
): { readonly errors: readonly FieldError[]; readonly isStructural: boolean } {
  const nullable =
    schema.nullable === true ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : []
  const structural = checkStructural(schema, path)
  const defaults = structural.length > 0 ? [] : checkDefaults(schema, path)
  const isStructural = structural.length + defaults.length === 0
  return { errors: [...nullable, ...structural, ...defaults, ...checkKeywords(schema, path)], isStructural }
}
