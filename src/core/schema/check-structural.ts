import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../base/json.ts'
import type { FieldError } from './field-error.ts'
import { matchesPattern } from './pattern.ts'
import { additionalSchemaOf, type Schema } from './schema.ts'
import { someSchema } from './some-schema.ts'

type Level = 'root' | 'item' | 'field'

/**
 * What keeps a schema of a CRD from being structural, in the order of the server. Nothing is said about a schema with
 * keywords that no structural schema has: `checkKeywords` complains about those.
 */
export function checkStructural(schema: Schema, path: string): readonly FieldError[] {
  if (hasForeignKeywords(schema)) return []
  const errors = [...checkNode(schema, 'root', path), ...checkComplete(schema, schema, path, path)]
  return errors.sort((left, right) => (textOf(left) < textOf(right) ? -1 : 1))
}

const FOREIGN = ['id', 'patternProperties', 'definitions', 'dependencies', '$ref', '$schema']

/** Whether a schema is beyond what structural schemas can say at all, at any depth. */
export function hasForeignKeywords(schema: Schema): boolean {
  return someSchema(schema, isForeign)
}

function isForeign(schema: Schema): boolean {
  const keywords = schema as JsonObject
  if (FOREIGN.some((keyword) => hasMeaning(keywords[keyword])) || Array.isArray(schema.items)) return true
  return keywords.additionalItems !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === false
}

/** An empty text or map says nothing. */
function hasMeaning(value: JsonValue | undefined): boolean {
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== ''
}

/** The one keyword beyond structural schemas that nothing else complains about. */
export function checkDialect(schema: Schema, path: string): readonly FieldError[] {
  return hasForeignKeywords(schema) ? [invalid(path, '', "OpenAPIV3Schema 'schema' is not supported")] : []
}

function textOf({ field, type, detail }: FieldError): string {
  return `${field}: ${type} ${detail}`
}

export function required(field: string, detail: string): FieldError {
  return { type: 'Required', field, detail }
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail }
}

export function invalid(field: string, value: JsonValue | undefined, detail: string): FieldError {
  return { type: 'Invalid', field, detail, value }
}

export function childSchemas(schema: Schema, path: string): readonly (readonly [Schema, string])[] {
  const properties = Object.entries(schema.properties ?? {})
  return properties.map(([name, property]) => [property, `${path}.properties[${name}]`])
}

function checkNode(schema: Schema, level: Level, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  if (schema.type === 'array' && schema.items === undefined) errors.push(required(`${path}.items`, 'must be specified'))
  if (schema.items !== undefined) errors.push(...checkNode(schema.items, 'item', `${path}.items`))
  for (const [property, at] of childSchemas(schema, path)) errors.push(...checkNode(property, 'field', at))
  errors.push(...checkAdditional(schema, level, path))
  errors.push(...checkIntOrString(schema, path))
  errors.push(...checkJunctors(schema, path, intOrStringPattern(schema)))
  errors.push(...checkType(schema, level, path))
  errors.push(...checkMeta(schema, level, path))
  return errors
}

function checkAdditional(schema: Schema, level: Level, path: string): readonly FieldError[] {
  if (schema.additionalProperties === undefined) return []
  const at = `${path}.additionalProperties`
  const errors = level === 'root' ? [forbidden(at, 'must not be used at the root')] : []
  if (isEmbedded(schema)) errors.push(forbidden(at, 'must not be used if x-kubernetes-embedded-resource is set'))
  const inner = additionalSchemaOf(schema)
  return inner === undefined ? errors : [...errors, ...checkNode(inner, 'field', at)]
}

function isEmbedded(schema: Schema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true
}

function preserves(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true
}

function checkIntOrString(schema: Schema, path: string): readonly FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  const detail = 'must be false if x-kubernetes-int-or-string is true'
  const errors: FieldError[] = []
  if (preserves(schema)) errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail))
  if (isEmbedded(schema)) errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, detail))
  return errors
}

const EMPTY_TYPE: { readonly [level in Level]: string } = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function checkType(schema: Schema, level: Level, path: string): readonly FieldError[] {
  const { type = '' } = schema
  const at = `${path}.type`
  const errors: FieldError[] = []
  if (isEmbedded(schema) && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? required(at, detail) : invalid(at, type, detail))
  } else if (type === '' && schema['x-kubernetes-int-or-string'] !== true && !preserves(schema)) {
    errors.push(required(at, EMPTY_TYPE[level]))
  }
  if (level === 'root' && type !== '' && type !== 'object') errors.push(invalid(at, type, 'must be object at the root'))
  return errors
}

function checkMeta(schema: Schema, level: Level, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const isResource = level === 'root' || isEmbedded(schema)
  for (const name of ['kind', 'apiVersion']) {
    const property = schema.properties?.[name]
    if (!isResource || property === undefined || property.type === 'string') continue
    errors.push(invalid(`${path}.properties[${name}].type`, property.type ?? '', 'must be string'))
  }
  const metadata = schema.properties?.metadata
  if (metadata !== undefined) errors.push(...checkMetadata(metadata, level, isResource, `${path}.properties[metadata]`))
  if (isEmbedded(schema) && !preserves(schema) && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(required(`${path}.properties`, detail))
  }
  return errors
}

function checkMetadata(schema: Schema, level: Level, isResource: boolean, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  if (isResource && schema.type !== 'object') errors.push(invalid(`${path}.type`, schema.type ?? '', 'must be object'))
  if (level !== 'root') return errors
  const { type: _type, default: _default, properties = { name: {} }, ...rest } = schema
  const names = Object.keys(properties)
  const named = names.length > 0 && names.every((name) => name === 'name' || name === 'generateName')
  if (named && Object.keys(rest).length === 0) return errors
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
  return [...errors, forbidden(path, detail)]
}

const INT_OR_STRING: JsonValue = [{ type: 'integer' }, { type: 'string' }]

/** Where the one allowed `anyOf` of types stands. */
function intOrStringPattern({ anyOf, allOf }: Schema): 'anyOf' | 'allOf' | undefined {
  if (jsonEquals(anyOf as JsonValue | undefined, INT_OR_STRING)) return 'anyOf'
  return jsonEquals(allOf?.[0]?.anyOf as JsonValue | undefined, INT_OR_STRING) ? 'allOf' : undefined
}

function checkJunctors(schema: Schema, path: string, allowed: 'anyOf' | 'allOf' | undefined): readonly FieldError[] {
  const errors: FieldError[] = []
  for (const [index, one] of (allowed === 'anyOf' ? [] : (schema.anyOf ?? [])).entries()) {
    errors.push(...checkNested(one, `${path}.anyOf[${index}]`))
  }
  for (const [index, one] of (schema.allOf ?? []).entries()) {
    const inner = allowed === 'allOf' && index === 0 ? { ...one, anyOf: undefined } : one
    errors.push(...checkNested(inner, `${path}.allOf[${index}]`))
  }
  for (const [index, one] of (schema.oneOf ?? []).entries()) {
    errors.push(...checkNested(one, `${path}.oneOf[${index}]`))
  }
  if (schema.not !== undefined) errors.push(...checkNested(schema.not, `${path}.not`))
  const matched = schema.pattern ? matchesPattern('', schema.pattern) : true
  if (matched instanceof Error) {
    const detail = `must be a valid regular expression, but isn't: ${matched.message}`
    errors.push(invalid(`${path}.pattern`, schema.pattern, detail))
  }
  return errors
}

/** What a schema beneath `allOf` and the like must not say, and how the server calls that. */
const NESTED_FORBIDDEN: readonly (readonly [keyof Schema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function checkNested(schema: Schema, path: string): readonly FieldError[] {
  const errors = [...checkJunctors(schema, path, undefined)]
  if (schema.items !== undefined) errors.push(...checkNested(schema.items, `${path}.items`))
  for (const [property, at] of childSchemas(schema, path)) errors.push(...checkNested(property, at))
  for (const [keyword, detail] of NESTED_FORBIDDEN) {
    if (keyword === 'default' ? schema.default !== undefined : isSaid(schema[keyword]))
      errors.push(forbidden(`${path}.${keyword}`, detail))
  }
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, 'metadata')) {
    errors.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'))
  }
  return errors
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === '' || value === false) return false
  return !(Array.isArray(value) && value.length === 0)
}

/** Fields that only `allOf` and the like know. */
function checkComplete(part: Schema, whole: Schema, wholeAt: string, partAt: string): readonly FieldError[] {
  const junctors: (readonly [Schema, string])[] = []
  if (part.not !== undefined) junctors.push([part.not, `${partAt}.not`])
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, one] of (part[keyword] ?? []).entries()) junctors.push([one, `${partAt}.${keyword}[${index}]`])
  }
  return junctors.flatMap(([one, at]) => checkNestedComplete(one, whole, wholeAt, at))
}

function checkNestedComplete(part: Schema, whole: Schema, wholeAt: string, partAt: string): readonly FieldError[] {
  const errors = [...checkComplete(part, whole, wholeAt, partAt)]
  if (part.items !== undefined) {
    const at = `${wholeAt}.items`
    if (whole.items === undefined) errors.push(required(at, `because it is defined in ${partAt}.items`))
    else errors.push(...checkNestedComplete(part.items, whole.items, at, `${partAt}.items`))
  }
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    const [at, from] = [`${wholeAt}.properties[${name}]`, `${partAt}.properties[${name}]`]
    const declared = whole.properties !== undefined && Object.hasOwn(whole.properties, name)
    const target = declared ? whole.properties?.[name] : undefined
    if (target === undefined) errors.push(required(at, `because it is defined in ${from}`))
    else errors.push(...checkNestedComplete(property, target, at, from))
  }
  return errors
}
