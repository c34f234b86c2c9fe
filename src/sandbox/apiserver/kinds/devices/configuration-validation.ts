import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { type FieldErrors, invalid, required, tooLong } from '../common/field-errors.ts'
import { textAt } from '../common/fields.ts'
import { validateDriver } from './names-validation.ts'

const LONGEST_DATA = 10 * 1024

/** The configuration for a driver. Its content is opaque: only the driver knows its format. */
export function validateConfiguration({ opaque }: JsonObject, field: string): FieldErrors {
  const place = `${field}.opaque`
  if (!isJsonObject(opaque)) return [required(place)]
  return [
    ...validateDriver(textAt(opaque, 'driver'), `${place}.driver`),
    ...validateData(opaque.parameters, `${place}.parameters`),
  ]
}

/** An object of any kind, of a limited size. */
export function validateData(data: JsonValue | undefined, field: string): FieldErrors {
  if (data === undefined || data === null) return [required(field)]
  if (Buffer.byteLength(JSON.stringify(data)) > LONGEST_DATA) return [tooLong(field, LONGEST_DATA)]
  return isJsonObject(data) ? [] : [invalid(field, '<value omitted>', 'must be a valid JSON object')]
}
