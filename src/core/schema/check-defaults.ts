import { isJsonObject, type JsonValue } from '../base/json.ts'
import { childSchemas, hasForeignKeywords, invalid, required } from './check-structural.ts'
import type { FieldError } from './field-error.ts'
import { prune } from './prune.ts'
import type { Schema } from './schema.ts'
import { validate } from './validate.ts'

/** Defaults of a schema of a CRD that the schema itself would refuse. */
export function checkDefaults(schema: Schema, path: string): readonly FieldError[] {
  if (hasForeignKeywords(schema)) return []
  return checkNode(schema, path, true)
}

function checkNode(schema: Schema, path: string, root: boolean): readonly FieldError[] {
  const value = schema.default
  const errors = value === undefined ? [] : [...checkDefault(value, { schema, path: `${path}.default`, root })]
  if (schema.items !== undefined) errors.push(...checkNode(schema.items, `${path}.items`, false))
  for (const [property, at] of childSchemas(schema, path)) errors.push(...checkNode(property, at, false))
  return errors
}

const META_FIELDS = ['apiVersion', 'kind', 'metadata']

interface Place {
  readonly schema: Schema
  readonly path: string
  readonly root: boolean
}

function checkDefault(value: JsonValue, { schema, path, root }: Place): readonly FieldError[] {
  const errors: FieldError[] = []
  const isResource = root || schema['x-kubernetes-embedded-resource'] === true
  const unknown = prune(value, schema).unknown.filter((name) => !(isResource && META_FIELDS.includes(name)))
  if (unknown.length > 0) errors.push(invalid(path, value, 'must not have unknown fields'))
  const missing =
    isResource && isJsonObject(value) ? ['apiVersion', 'kind'].filter((name) => value[name] === undefined) : []
  if (missing.length > 0) return [...errors, ...missing.map((name) => required(`${path}.${name}`, ''))]
  const declared: Schema = { ...schema, 'x-kubernetes-int-or-string': undefined }
  const refused = validate(value, declared, { ignoreListTypes: true })
  return [...errors, ...refused.map((error) => ({ ...error, field: beneath(path, error.field) }))]
}

/** The server puts a dot before an index, too. */
function beneath(path: string, field: string): string {
  return field === '' ? path : `${path}.${field}`
}
