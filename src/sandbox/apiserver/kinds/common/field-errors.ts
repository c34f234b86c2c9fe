import { type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import type { FieldError } from '../../../../core/schema/field-error.ts'

export type FieldErrors = readonly FieldError[]

const NO_ERRORS: FieldErrors = []

export function required(field: string, detail = ''): FieldError {
  return { type: 'Required', field, detail }
}

export function invalid(field: string, value: JsonValue | undefined, detail: string): FieldError {
  return { type: 'Invalid', field, value: value ?? null, detail }
}

/** One `Invalid` for each complaint about a value. */
export function invalidFor(field: string, value: JsonValue | undefined, details: readonly string[]): FieldErrors {
  return details.map((detail) => invalid(field, value, detail))
}

/** The same complaint; its value is printed as the server prints its internal structs, whose fields have an order of their own. */
export function asStruct(error: FieldError): FieldError {
  return { ...error, shown: 'struct' }
}

export function duplicate(field: string, value: JsonValue): FieldError {
  return { type: 'Duplicate', field, value, detail: '' }
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail }
}

export function notFound(field: string, value: JsonValue): FieldError {
  return { type: 'NotFound', field, value, detail: '' }
}

export function notSupported(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`
  return { type: 'NotSupported', field, value, detail }
}

export function oneOf(field: string, value: string, supported: readonly string[]): FieldErrors {
  return supported.includes(value) ? NO_ERRORS : [notSupported(field, value, supported)]
}

export function tooMany(field: string, count: number, most: number): FieldError {
  return { type: 'TooMany', field, value: count, detail: `must have at most ${most} items` }
}

export function tooLong(field: string, most: number): FieldError {
  return { type: 'TooLong', field, detail: `may not be more than ${most} bytes` }
}

export function notNegative(field: string, value: JsonValue | undefined): FieldErrors {
  if (typeof value !== 'number' || value >= 0) return NO_ERRORS
  return [invalid(field, value, 'must be greater than or equal to 0')]
}

export function inRange(field: string, value: number, [low, high]: readonly [number, number]): FieldErrors {
  if (value >= low && value <= high) return NO_ERRORS
  return [invalid(field, value, `must be between ${low} and ${high}, inclusive`)]
}

export function immutable(field: string, value: JsonValue | undefined, old: JsonValue | undefined): FieldErrors {
  return jsonEquals(value, old) ? NO_ERRORS : [invalid(field, value, 'field is immutable')]
}
