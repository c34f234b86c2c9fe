import type { JsonValue } from '../base/json.ts'
import { goJson, goStructJson } from './go-json.ts'
import { goDouble, isGoInteger } from './go-number.ts'

export type FieldErrorType =
  | 'NotFound'
  | 'Required'
  | 'Duplicate'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'TooLong'
  | 'TooShort'
  | 'TooMany'
  | 'TooFew'
  | 'Internal'
  | 'TypeInvalid'

/** One complaint about one field, as in `details.causes` of a 422. */
export interface FieldError {
  readonly type: FieldErrorType
  /** `spec.containers[0].name`; empty for the whole object. */
  readonly field: string
  /** Already worded as the server does; may be empty. */
  readonly detail: string
  /** The value complained about, for the types that print it. */
  readonly value?: JsonValue | undefined
  /** How the value is printed: not at all, or as a Go struct, whose fields have an order of their own. Defaults to JSON. */
  readonly shown?: 'nothing' | 'struct'
}

const LABELS: { readonly [type in FieldErrorType]: string } = {
  NotFound: 'Not found',
  Required: 'Required value',
  Duplicate: 'Duplicate value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooShort: 'Too short',
  TooMany: 'Too many',
  TooFew: 'Too few',
  Internal: 'Internal error',
  TypeInvalid: 'Invalid value',
}

const REASONS: { readonly [type in FieldErrorType]: string } = {
  NotFound: 'FieldValueNotFound',
  Required: 'FieldValueRequired',
  Duplicate: 'FieldValueDuplicate',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
  TooLong: 'FieldValueTooLong',
  TooShort: 'FieldValueTooShort',
  TooMany: 'FieldValueTooMany',
  TooFew: 'FieldValueTooFew',
  Internal: 'InternalError',
  TypeInvalid: 'FieldValueTypeInvalid',
}

const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'Required',
  'Forbidden',
  'TooLong',
  'TooShort',
  'Internal',
])

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0`, as the server prints it. */
export function printFieldError(error: FieldError): string {
  return `${error.field === '' ? '<nil>' : error.field}: ${printFieldErrorBody(error)}`
}

/** The text of a cause: the same without its field. */
export function printFieldErrorBody(error: FieldError): string {
  const label = LABELS[error.type]
  const isBare = error.shown === 'nothing' || WITHOUT_VALUE.has(error.type)
  const head = isBare ? label : `${label}: ${printValue(error)}`
  return error.detail === '' ? head : `${head}: ${error.detail}`
}

/** One entry of `details.causes`. */
export function causeOf(error: FieldError): {
  reason: string
  message: string
  field: string
} {
  return {
    reason: REASONS[error.type],
    message: printFieldErrorBody(error),
    field: error.field === '' ? '<nil>' : error.field,
  }
}

function printValue({ value, shown }: FieldError): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return isGoInteger(value) ? String(BigInt(value)) : goDouble(value)
  return shown === 'struct' ? goStructJson(value) : goJson(value)
}
