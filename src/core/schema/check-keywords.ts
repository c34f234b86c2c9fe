import { isJsonObject, type JsonValue } from '../base/json.ts'
import { checkRules } from './check-rules.ts'
import { childSchemas, forbidden, invalid, required } from './check-structural.ts'
import type { FieldError } from './field-error.ts'
import { additionalSchemaOf, type Schema } from './schema.ts'

interface Place {
  readonly path: string
  readonly root: boolean
  /** Inside `metadata`, `kind` or `apiVersion` of a resource. */
  readonly meta: boolean
  /** Why no default may stand here; empty when one may. */
  readonly noDefault: string
}

/** Rules about single keywords of a schema of a CRD and how they go together. */
export function checkKeywords(schema: Schema, path: string): readonly FieldError[] {
  return checkNode(schema, { path, root: true, meta: false, noDefault: '' })
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref']

function checkNode(schema: Schema, place: Place): readonly FieldError[] {
  return [
    ...checkSupport(schema, place),
    ...checkAdditional(schema, place),
    ...checkProperties(schema, place),
    ...checkJunctors(schema, place),
    ...(isJsonObject(schema.items)
      ? checkNode(schema.items, { ...place, path: `${place.path}.items`, root: false })
      : []),
    ...checkPreserve(schema, place.path),
    ...checkMapType(schema, place.path),
    ...checkListType(schema, place.path),
    ...checkMapKeys(schema, place.path),
    ...checkMapItems(schema, place.path),
    ...checkRules(schema, place.path),
  ]
}

function checkSupport(schema: Schema, { path, meta, noDefault }: Place): readonly FieldError[] {
  const errors: FieldError[] = []
  const { type = '' } = schema
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES))
  if (schema.default !== undefined && noDefault !== '') {
    errors.push(forbidden(`${path}.default`, `must not be set ${noDefault}`))
  }
  const keywords = schema as { readonly [keyword: string]: unknown }
  for (const keyword of UNSUPPORTED) {
    if (isSet(keywords[keyword], keyword)) errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`))
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'))
  }
  if (meta && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'))
  }
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(forbidden(`${path}.uniqueItems`, detail))
  }
  return errors
}

/** Two of them may be empty. */
function isSet(value: unknown, keyword: string): boolean {
  const mayBeEmpty = keyword === 'patternProperties' || keyword === 'definitions'
  return value !== undefined && !(mayBeEmpty && Object.keys(value as object).length === 0)
}

function notSupported(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`
  return { type: 'NotSupported', field, detail, value }
}

function checkAdditional(schema: Schema, place: Place): readonly FieldError[] {
  const { additionalProperties, properties } = schema
  const path = `${place.path}.additionalProperties`
  const errors: FieldError[] = []
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties ?? {}).length > 0) {
    errors.push(forbidden(path, 'additionalProperties and properties are mutual exclusive'))
  }
  const inner = additionalSchemaOf(schema)
  if (inner === undefined) return errors
  const reason = place.meta ? 'inside additionalProperties applying to object metadata' : place.noDefault
  return [...errors, ...checkNode(inner, { ...place, path, root: false, noDefault: reason })]
}

const META_FIELDS = ['metadata', 'kind', 'apiVersion']

function checkProperties(schema: Schema, place: Place): readonly FieldError[] {
  const isResource = place.root || schema['x-kubernetes-embedded-resource'] === true
  return childSchemas(schema, place.path).flatMap(([property, path]) => {
    const name = path.slice(path.lastIndexOf('[') + 1, -1)
    const meta = place.meta || (isResource && META_FIELDS.includes(name))
    const noDefault = place.root && meta ? `in top-level ${name}` : place.noDefault
    return checkNode(property, { path, root: false, meta, noDefault })
  })
}

function checkJunctors(schema: Schema, place: Place): readonly FieldError[] {
  const inner = { ...place, root: false }
  const nested = (['allOf', 'oneOf', 'anyOf'] as const).flatMap((keyword) =>
    (schema[keyword] ?? []).map((one, index) => [one, `${place.path}.${keyword}[${index}]`] as const),
  )
  const all = schema.not === undefined ? nested : [[schema.not, `${place.path}.not`] as const, ...nested]
  return all.flatMap(([one, path]) => checkNode(one, { ...inner, path }))
}

function checkPreserve(schema: Schema, path: string): readonly FieldError[] {
  const keyword = 'x-kubernetes-preserve-unknown-fields'
  return schema[keyword] === false ? [invalid(`${path}.${keyword}`, false, 'must be true or undefined')] : []
}

function checkMapType(schema: Schema, path: string): readonly FieldError[] {
  const { type = '', 'x-kubernetes-map-type': mapType } = schema
  if (mapType === undefined) return []
  const errors: FieldError[] = []
  if (type !== 'object') errors.push(wrongType(path, type, 'must be object if x-kubernetes-map-type is specified'))
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  }
  return errors
}

function wrongType(path: string, type: string, detail: string): FieldError {
  return type === '' ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail)
}

const LIST_TYPES = ['atomic', 'set', 'map']

function checkListType(schema: Schema, path: string): readonly FieldError[] {
  const { type = '', 'x-kubernetes-list-type': listType, items } = schema
  if (listType === undefined) return []
  const errors: FieldError[] = []
  if (type !== 'array') errors.push(wrongType(path, type, 'must be array if x-kubernetes-list-type is specified'))
  else if (listType === 'set' && items !== undefined) errors.push(...checkSetItems(items, `${path}.items`))
  if (!LIST_TYPES.includes(listType)) {
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, LIST_TYPES))
  }
  return errors
}

function checkSetItems(items: Schema, path: string): readonly FieldError[] {
  const { 'x-kubernetes-list-type': listType, 'x-kubernetes-map-type': mapType } = items
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(`${path}.x-kubernetes-list-type`, listType, detail)]
  }
  if (items.type === 'object' && mapType !== 'atomic') {
    return [invalid(`${path}.x-kubernetes-map-type`, listType ?? null, detail)]
  }
  return []
}

function checkMapKeys(schema: Schema, path: string): readonly FieldError[] {
  const { 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys = [], items } = schema
  const errors: FieldError[] = []
  if (keys.length > 0 && listType !== 'map') {
    const [at, detail] = [`${path}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty']
    errors.push(listType === undefined ? required(at, detail) : invalid(at, listType, detail))
  }
  if (listType !== 'map') return errors
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map'
    errors.push(required(`${path}.x-kubernetes-list-map-keys`, detail))
  }
  if (items === undefined) {
    return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')]
  }
  if (items.type === 'object') return [...errors, ...checkKeyFields(items, keys, path)]
  const detail = "must be object if parent array's x-kubernetes-list-type is map"
  return [...errors, invalid(`${path}.items.type`, items.type ?? '', detail)]
}

function checkKeyFields(items: Schema, keys: readonly string[], path: string): readonly FieldError[] {
  const at = `${path}.x-kubernetes-list-map-keys`
  return keys.flatMap((key, index) => {
    const type = items.properties?.[key]?.type
    const errors: FieldError[] = []
    if (items.properties?.[key] === undefined) {
      errors.push(invalid(at, keys, 'entries must all be names of item properties'))
    } else if (type === 'array' || type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalid(`${path}.items.properties[${key}].type`, items.type, detail))
    }
    if (keys.indexOf(key) < index) errors.push(invalid(at, keys, 'must not contain duplicate entries'))
    return errors
  })
}

/** Items of sets and maps are never null, and those of maps have all their keys. */
function checkMapItems(schema: Schema, path: string): readonly FieldError[] {
  const { 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys = [], items } = schema
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return []
  const errors: FieldError[] = []
  if (items.nullable === true) {
    errors.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`))
  }
  for (const key of listType === 'map' ? keys : []) {
    const property = items.properties?.[key]
    if (property === undefined) continue
    const at = `${path}.items.properties[${key}]`
    const reason = 'this property is in x-kubernetes-list-map-keys, so it'
    if (!items.required?.includes(key) && property.default === undefined) {
      errors.push(required(`${at}.default`, `${reason} must have a default or be a required property`))
    }
    if (property.nullable === true) errors.push(forbidden(`${at}.nullable`, `${reason} cannot be nullable`))
  }
  return errors
}
