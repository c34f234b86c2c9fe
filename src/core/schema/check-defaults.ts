import { isJsonObject, type JsonValue } from '../base/json.ts'
import { childSchemas, hasForeignKeywords, invalid, required } from './check-structural.ts'
import type { FieldError } from './field-error.ts'
import { prune } from './prune.ts'
import type { Schema } from './schema.ts'
import { validate } from './validate.ts'

/** Asked about a default that the keywords of its schema let pass; the fields of complaints are those of the value. */
export type DefaultCheck = (
  value: JsonValue,
  schema: Schema,
  place: { readonly isResource: boolean },
) => readonly FieldError[]

/** Defaults of a schema of a CRD that the schema itself would refuse. */
export function checkDefaults(schema: Schema, path: string, more: DefaultCheck = nothing): readonly FieldError[] {
  if (hasForeignKeywords(schema)) return []
  return checkNode({ schema, path, root: true, more })
}

function nothing(): readonly FieldError[] {
  return []
}

function checkNode(place: Place): readonly FieldError[] {
  const { schema, path } = place
  const value = schema.default
  const errors = value === undefined ? [] : [...checkDefault(value, { ...place, path: `${path}.default` })]
  const below = { ...place, root: false }
  if (schema.items !== undefined) errors.push(...checkNode({ ...below, schema: schema.items, path: `${path}.items` }))
  for (const [property, at] of childSchemas(schema, path)) {
    errors.push(...checkNode({ ...below, schema: property, path: at }))
  }
  return errors
}

const META_FIELDS = ['apiVersion', 'kind', 'metadata']

interface Place {
  readonly schema: Schema
  readonly path: string
  readonly root: boolean
  readonly more: DefaultCheck
}

function checkDefault(value: JsonValue, { schema, path, root, more }: Place): readonly FieldError[] {
  const errors: FieldError[] = []
  const isResource = root || schema['x-kubernetes-embedded-resource'] === true
  const unknown = prune(value, schema).unknown.filter((name) => !(isResource && META_FIELDS.includes(name)))
  if (unknown.length > 0) errors.push(invalid(path, value, 'must not have unknown fields'))
  const missing =
    isResource && isJsonObject(value) ? ['apiVersion', 'kind'].filter((name) => value[name] === undefined) : []
  if (missing.length > 0) return [...errors, ...missing.map((name) => required(`${path}.${name}`, ''))]
  const declared: Schema = { ...schema, 'x-kubernetes-int-or-string': undefined }
  const refused = validate(value, declared, { ignoreListTypes: true })
  if (refused.length > 0)
    return [...errors, ...refused.map((error) => ({ ...error, field: beneath(path, error.field) }))]
  const late = more(value, schema, { isResource })
  return [...errors, ...late.map((error) => ({ ...error, field: joinField(path, error.field) }))]
}

function joinField(path: string, field: string): string {
  return field === '' || field.startsWith('[') ? path + field : `${path}.${field}`
}

/** The server puts a dot before an index, too. */
function beneath(path: string, field: string): string {
  return field === '' ? path : `${path}.${field}`
}
