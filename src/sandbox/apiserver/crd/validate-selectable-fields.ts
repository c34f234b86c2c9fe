import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import { findField } from '../../../core/schema/rule-field-path.ts'
import type { Schema } from '../../../core/schema/schema.ts'

/** What fields to select by must be in. */
interface Selected {
  /** The path of what has the fields. */
  readonly at: string
  /** Absent: none stands beside the fields. */
  readonly root: JsonValue | undefined
  /** Said where the schema is absent. */
  readonly unknown: string
}

/** Complaints about the fields that objects can be selected by. */
export function validateSelectableFields(
  fields: JsonValue | undefined,
  { at, root, unknown }: Selected,
): readonly FieldError[] {
  if (!isJsonArray(fields) || fields.length === 0) return []
  const field = `${at}.selectableFields`
  if (!isJsonObject(root)) return [{ type: 'Invalid', field, value: '', detail: unknown }]
  const known = new Set<string>()
  const errors = fields.flatMap((one, index) => {
    const jsonPath = isJsonObject(one) && typeof one.jsonPath === 'string' ? one.jsonPath : ''
    return validateField(jsonPath, root as Schema, known).map((error) => ({
      ...error,
      field: `${field}[${index}].jsonPath`,
    }))
  })
  if (known.size <= MAX_FIELDS) return errors
  const detail = `must have at most ${MAX_FIELDS} items`
  return [...errors, { type: 'TooMany', field, value: known.size, detail }]
}

const MAX_FIELDS = 8

function validateField(jsonPath: string, root: Schema, known: Set<string>): readonly Omit<FieldError, 'field'>[] {
  if (jsonPath === '') return [{ type: 'Required', detail: '' }]
  const found = findField(jsonPath, root, { brackets: false })
  if (typeof found === 'string') return [invalid(jsonPath, `is an invalid path: ${found}`)]
  const { path, schema } = found
  const isKnown = known.has(path)
  known.add(path)
  return [
    ...(/^metadata(\.|$)/.test(path) ? [invalid(jsonPath, 'must not point to fields in metadata')] : []),
    ...(SELECTABLE.includes(schema.type ?? '') ? [] : [invalid(jsonPath, WRONG_TYPE)]),
    ...(isKnown ? [{ type: 'Duplicate' as const, value: jsonPath, detail: '' }] : []),
  ]
}

const SELECTABLE = ['string', 'boolean', 'integer']
const WRONG_TYPE =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'

function invalid(value: string, detail: string): Omit<FieldError, 'field'> {
  return { type: 'Invalid', value, detail }
}
