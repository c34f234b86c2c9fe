import { type JsonValue, jsonEquals } from '../base/json.ts'
import type { FieldError } from './field-error.ts'
import { hasFormat, isKnownFormat } from './formats.ts'
import { goJson } from './go-json.ts'
import { isGoInteger } from './go-number.ts'
import { matchesPattern } from './pattern.ts'
import type { Schema } from './schema.ts'
import {
  counted,
  fieldOf,
  found,
  invalid,
  invalidObject,
  mergeResults,
  NOTHING_FOUND,
  type ValidationResult,
} from './validation-result.ts'

/** Types as messages name them: `integer`, or `integer,string` for int-or-string. */
function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string']
  return schema.type === undefined ? [] : [schema.type]
}

/** The format, if the server heeds it for the type. */
function formatOf({ type, format = '' }: Schema): string {
  const numeric = { integer: ['int32', 'int64'], number: ['float', 'double'] }[type as 'integer' | 'number']
  if (numeric) return numeric.includes(format) ? format : ''
  return isTextual(type) && isKnownFormat(format) ? format : ''
}

/** Also a type that is no type. */
function isTextual(type: Schema['type']): boolean {
  return type !== 'object' && type !== 'array' && type !== 'boolean'
}

/** The JSON type of a value and the format that Go would name it. */
function kindOf(value: JsonValue): readonly [type: string, format: string] {
  if (typeof value === 'number') return isGoInteger(value) ? ['integer', 'int64'] : ['number', 'float64']
  if (typeof value === 'boolean') return ['boolean', '']
  if (typeof value === 'string') return ['string', '']
  return [Array.isArray(value) ? 'array' : 'object', '']
}

export function checkType(value: JsonValue, schema: Schema, path: string): ValidationResult {
  const types = typesOf(schema)
  const format = formatOf(schema)
  if (types.length === 0 && format === '') return NOTHING_FOUND
  const expected = types.join(',')
  if (value === null) {
    return types.length > 0 && schema.nullable !== true ? found(wrongType(path, expected, 'null')) : counted(1)
  }
  const [type, actualFormat] = kindOf(value)
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'))
  const isText = type === 'string' || type === 'array'
  if (!isText && format !== '' && !fits && format !== actualFormat) {
    return found(wrongType(path, format, actualFormat))
  }
  const numeric = types.includes('number') || types.includes('integer')
  if (fits || (!numeric && format !== '' && isText)) return counted(1)
  return found(wrongType(path, expected, type))
}

function wrongType(path: string, expected: string, actual: string): FieldError {
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`
  return { type: 'TypeInvalid', field: fieldOf(path), detail, value: actual }
}

export function checkEnum(value: JsonValue, { enum: allowed }: Schema, path: string): ValidationResult {
  if (allowed === undefined || allowed.length === 0) return NOTHING_FOUND
  if (allowed.some((one) => equalsAllowed(value, one))) return NOTHING_FOUND
  const values = allowed.map((one) => JSON.stringify(typeof one === 'string' ? one : goJson(one)))
  return found({ type: 'NotSupported', field: fieldOf(path), detail: `supported values: ${values.join(', ')}`, value })
}

/** Go converts the value to the type of the allowed one first: 1.5 counts as 1. */
function equalsAllowed(value: JsonValue, allowed: JsonValue): boolean {
  if (value === null) return false
  const truncates = typeof value === 'number' && typeof allowed === 'number' && Number.isInteger(allowed)
  return truncates ? Math.trunc(value) === allowed : jsonEquals(value, allowed)
}

export function checkText(text: string, schema: Schema, path: string): ValidationResult {
  const { maxLength, minLength, pattern = '' } = schema
  if (maxLength !== undefined && isLonger(text, maxLength)) return found(tooLong(path, maxLength))
  if (minLength !== undefined && !isLonger(text, minLength - 1)) {
    return found(invalid(path, text, `should be at least ${minLength} chars long`))
  }
  const matched = pattern === '' ? true : matchesPattern(text, pattern)
  if (matched === true) return NOTHING_FOUND
  const shown = matched === false ? pattern : `${pattern}, but pattern is invalid: ${matched.message}`
  return found(invalid(path, text, `should match '${shown}'`))
}

/** Than so many code points. Each is one or two of the units that `length` counts. */
function isLonger(text: string, length: number): boolean {
  return text.length > length && (text.length > 2 * length || codePointsOf(text) > length)
}

function codePointsOf(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) if (Number(text.codePointAt(index)) > 0xffff) count--
  return count
}

function tooLong(path: string, max: number): FieldError {
  const limit = `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`
  return { type: 'TooLong', field: fieldOf(path), detail: max < 0 ? 'value is too long' : limit }
}

export function checkFormat(text: string, schema: Schema, path: string): ValidationResult {
  const format = formatOf(schema)
  if (!isKnownFormat(format) || hasFormat(text, format)) return NOTHING_FOUND
  return found({
    type: 'TypeInvalid',
    field: fieldOf(path),
    detail: `${path} in body must be of type ${format}: ${JSON.stringify(text)}`,
    value: text,
  })
}

export function checkNumber(value: number, schema: Schema, path: string): ValidationResult {
  const { multipleOf, maximum, minimum, exclusiveMaximum = false, exclusiveMinimum = false } = schema
  const errors: (FieldError | undefined)[] = [outOfRange(value, schema, 'Checked', path)]
  const comparable = (bound: number, what: string): number => {
    const problem = outOfRange(bound, schema, what, path)
    errors.push(problem)
    // Integers are compared with integers: of a number, a bound of 1.5 counts as 1.
    return isGoInteger(value) && problem === undefined ? Math.trunc(bound) : bound
  }
  const limit = (words: string, bound: number, fits: boolean): void => {
    if (!fits) errors.push(invalid(path, value, `should be ${words} ${bound}`))
  }
  if (multipleOf !== undefined) {
    const factor = comparable(multipleOf, 'MultipleOf')
    if (factor <= 0) errors.push(notPositive(factor, path))
    else limit('a multiple of', factor, isMultiple(value, factor))
  }
  if (minimum !== undefined) {
    const min = comparable(minimum, 'Minimum boundary')
    if (exclusiveMinimum) limit('greater than', min, value > min)
    else limit('greater than or equal to', min, value >= min)
  }
  if (maximum !== undefined) {
    const max = comparable(maximum, 'Maximum boundary')
    if (exclusiveMaximum) limit('less than', max, value < max)
    else limit('less than or equal to', max, value <= max)
  }
  return mergeResults([counted(1, ...errors.filter((error) => error !== undefined))])
}

function notPositive(factor: number, path: string): FieldError {
  const detail = `factor MultipleOf declared for ${path} must be positive: ${factor}`
  return { type: 'Invalid', field: fieldOf(path), detail, value: factor }
}

function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0
  const quotient = factor < 1 ? (1 / factor) * value : value / factor
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient))
}

/** A number that the type and format cannot hold. */
function outOfRange(value: number, schema: Schema, what: string, path: string): FieldError | undefined {
  const { type } = schema
  const format = formatOf(schema)
  if ((type !== 'integer' && type !== 'number') || schema['x-kubernetes-int-or-string'] === true) return undefined
  if (type === 'integer' ? fitsInteger(value, format) : format !== 'float' || Number.isFinite(Math.fround(value))) {
    return undefined
  }
  const range = format === '' ? `${type} (default format)` : `${type} with format ${format}`
  return invalidObject(`${what} value must be of type ${range} in ${path}`)
}

function fitsInteger(value: number, format: string): boolean {
  return format === 'int32' ? value === (value | 0) : isGoInteger(value)
}
