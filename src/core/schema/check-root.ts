import { jsonEquals } from '../base/json.ts'
import { forbidden, invalid } from './check-structural.ts'
import type { FieldError } from './field-error.ts'
import type { Schema } from './schema.ts'
import { schemaStruct } from './schema-struct.ts'

/** What may not stand at the root of a schema, in the order of the server. */
export function checkRoot(
  schema: Schema,
  path: string,
  { hasStatus }: { readonly hasStatus: boolean },
): readonly FieldError[] {
  const errors = hasStatus ? checkRootWithStatus(schema, path) : []
  if (schema.nullable !== true) return errors
  return [...errors, forbidden(`${path}.nullable`, 'nullable cannot be true at the root')]
}

/** A status with an endpoint is checked by `properties.status` alone: what the root says of the whole would be lost. */
function checkRootWithStatus(schema: Schema, path: string): readonly FieldError[] {
  const struct = schemaStruct(schema)
  for (const [name, value] of Object.entries(struct)) {
    if (jsonEquals(value, NOTHING[name]) || ALLOWED.includes(name)) continue
    if (name !== 'Type') return [{ type: 'Invalid', field: path, value: struct, shown: 'struct', detail: ONLY_THESE }]
    if (value !== 'object') return [invalid(`${path}.type`, value, ONLY_OBJECTS)]
  }
  return []
}

const NOTHING = schemaStruct({})
const ALLOWED = [
  'Description',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
]
const NAMES = ['Description', 'Type', ...ALLOWED.slice(1)].join(' ')
const ONLY_THESE = `only [${NAMES}] fields are allowed at the root of the schema if the status subresource is enabled`
const ONLY_OBJECTS =
  'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
