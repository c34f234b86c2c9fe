import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts'
import { checkDefaults, type DefaultCheck } from './check-defaults.ts'
import { checkKeywords } from './check-keywords.ts'
import { checkRoot } from './check-root.ts'
import { checkDialect, checkStructural } from './check-structural.ts'
import type { FieldError } from './field-error.ts'
import { hasStatusEndpoint, type InternalSpec, internalSpec } from './internal-spec.ts'
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

function schemaOf(version: { readonly schema?: JsonValue | undefined }): Schema | undefined {
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

/** What is asked about a schema beyond its keywords. */
export interface MoreChecks {
  /** About a default that the keywords of its schema let pass. */
  readonly ofDefault?: DefaultCheck
  /** About a schema that is structural, though there may be other complaints. */
  readonly ofSchema?: (schema: Schema, path: string, errors: readonly FieldError[]) => readonly FieldError[]
}

/** What the server says against the schemas of a CRD: structural rules, keywords, defaults, but not CEL rules. */
export function checkCrdSchemas(crd: CrdSchemaSource): readonly FieldError[] {
  const spec = internalSpec(crd.spec)
  return [...spec.versions.flatMap((_version, index) => checkVersionSchema(spec, index)), ...checkSharedSchema(spec)]
}

/** About the schema that a version does not share with all others. */
export function checkVersionSchema(spec: InternalSpec, index: number, more?: MoreChecks): readonly FieldError[] {
  const version = spec.versions[index] ?? {}
  const hasStatus = hasStatusEndpoint(spec, version)
  return checkSchema(schemaOf(version), { path: `spec.versions[${index}].schema`, hasStatus }, more)
}

/** About the schema that all versions share. */
export function checkSharedSchema(spec: InternalSpec, more?: MoreChecks): readonly FieldError[] {
  return checkSchema(schemaOf(spec.shared), { path: 'spec.validation', hasStatus: hasStatusEndpoint(spec) }, more)
}

interface Place {
  readonly path: string
  readonly hasStatus: boolean
}

function checkSchema(
  schema: Schema | undefined,
  { path: at, hasStatus }: Place,
  { ofDefault, ofSchema }: MoreChecks = {},
): readonly FieldError[] {
  if (schema === undefined) return []
  const path = `${at}.openAPIV3Schema`
  const structural = checkStructural(schema, path)
  const defaults = structural.length > 0 ? [] : checkDefaults(schema, path, ofDefault)
  const errors = [...checkRoot(schema, path, { hasStatus }), ...structural, ...defaults, ...checkKeywords(schema, path)]
  const isStructural = structural.length + defaults.length === 0
  const all = [...errors, ...(isStructural && ofSchema ? ofSchema(schema, path, errors) : [])]
  return all.length === 0 ? checkDialect(schema, path) : all
}
