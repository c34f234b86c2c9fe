import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue, jsonEquals } from '../base/json.ts'
import { Correlated } from './correlate.ts'
import type { FieldError } from './field-error.ts'
import { additionalSchemaOf, type Schema } from './schema.ts'
import { isSurelyValid } from './surely-valid.ts'
import { checkListTypes } from './validate-lists.ts'
import { checkEnum, checkFormat, checkNumber, checkText, checkType } from './validate-scalar.ts'
import {
  counted,
  fieldOf,
  found,
  invalid,
  invalidObject,
  mergeResults,
  type ValidationResult,
} from './validation-result.ts'

export interface ValidateOptions {
  /** Field path of `value`. Defaults to the root. */
  readonly path?: string | undefined
  /** The stored value: complaints about parts that did not change are left out (ratcheting). */
  readonly old?: JsonValue | undefined
  /** Says nothing about items that occur twice, as the server does of defaults. Defaults to false. */
  readonly ignoreListTypes?: boolean
}

/**
 * Complaints of a custom resource about a value, as the real server words them: types, limits, formats, and items that
 * occur twice. `metadata` and CEL rules are checked elsewhere.
 */
export function validate(value: JsonValue, schema: Schema, options: ValidateOptions = {}): readonly FieldError[] {
  if (isSurelyValid(value, schema)) return []
  const { path = '', old, ignoreListTypes = false } = options
  const correlated = old === undefined ? undefined : new Correlated(value, old, schema)
  const { errors } = check(value, { schema, path, correlated })
  if (ignoreListTypes) return errors
  const lists = checkListTypes(value, schema, path)
  const forgiven = lists.length > 0 && old !== undefined && checkListTypes(old, schema, path).length > 0
  return forgiven ? errors : [...errors, ...lists]
}

interface Place {
  readonly schema: Schema
  readonly path: string
  readonly correlated: Correlated | undefined
}

function check(value: JsonValue, place: Place): ValidationResult {
  if (place.schema.definition !== undefined) return counted(0)
  const result = checkAll(value, place)
  const forgiven = result.errors.length > 0 && place.correlated?.isUnchanged() === true
  return forgiven ? counted(result.matches) : result
}

function checkAll(value: JsonValue, place: Place): ValidationResult {
  const { schema, path } = place
  const type = checkType(value, schema, path)
  const allowed = checkEnum(value, schema, path)
  if (value === null) return mergeResults([type, allowed])
  const results = [type, checkAlternatives(value, place)]
  if (typeof value === 'string') results.push(checkText(value, schema, path), checkFormat(value, schema, path))
  if (typeof value === 'number') results.push(checkNumber(value, schema, path))
  if (isJsonArray(value)) results.push(checkItems(value, place))
  results.push(allowed)
  if (isJsonObject(value)) results.push(checkFields(value, place))
  const typed = schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true
  return mergeResults([...results, counted(results.length + (typed ? 1 : 0))])
}

function checkItems(items: JsonArray, { schema, path, correlated }: Place): ValidationResult {
  const { items: itemSchema, minItems, maxItems, uniqueItems } = schema
  const results =
    itemSchema === undefined
      ? []
      : items.map((item, index) =>
          check(item, { schema: itemSchema, path: `${path}[${index}]`, correlated: correlated?.item(index) }),
        )
  const { length } = items
  if (minItems !== undefined && length < minItems) {
    results.push(found(invalid(path, length, `should have at least ${minItems} items`)))
  }
  if (maxItems !== undefined && length > maxItems) results.push(found(tooMany(path, length, maxItems)))
  if (uniqueItems === true && hasDuplicates(items)) {
    results.push(found(invalid(path, '', "shouldn't contain duplicates")))
  }
  return mergeResults([...results, counted(1)])
}

function hasDuplicates(items: JsonArray): boolean {
  return items.some((item, index) => items.slice(0, index).some((other) => jsonEquals(item, other)))
}

function tooMany(path: string, count: number, max: number): FieldError {
  const limit = `must have at most ${max} ${max === 1 ? 'item' : 'items'}`
  return { type: 'TooMany', field: fieldOf(path), detail: max < 0 ? 'has too many items' : limit, value: count }
}

function checkFields(object: JsonObject, place: Place): ValidationResult {
  const { schema, path } = place
  const names = Object.keys(object).filter((name) => object[name] !== undefined)
  const { minProperties, maxProperties, required = [] } = schema
  const results: ValidationResult[] = []
  if (minProperties !== undefined && names.length < minProperties) {
    results.push(found(invalid(path, names.length, `should have at least ${minProperties} properties`)))
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    results.push(found(tooMany(path, names.length, maxProperties)))
  }
  for (const name of names) results.push(...checkField(object, name, place))
  for (const name of required) {
    if (object[name] !== undefined && Object.hasOwn(object, name)) continue
    results.push(found({ type: 'Required', field: fieldOf(`${path}.${name}`), detail: '' }))
  }
  return mergeResults(results)
}

function checkField(object: JsonObject, name: string, { schema, path, correlated }: Place): ValidationResult[] {
  const value = object[name]
  const { properties, additionalProperties } = schema
  const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
  const fieldSchema = declared ?? additionalSchemaOf(schema)
  if (fieldSchema === undefined && additionalProperties === false) {
    const detail = `${path}.${name} in body is a forbidden property`
    return [found({ type: 'Invalid', field: fieldOf(path), detail, value: name })]
  }
  if (value === undefined || fieldSchema === undefined) return []
  const fieldPath = declared !== undefined && path === '' ? name : `${path}.${name}`
  const isTypeMeta = path === '' && (name === 'kind' || name === 'apiVersion')
  return [
    check(value, {
      schema: fieldSchema,
      path: fieldPath,
      correlated: isTypeMeta ? undefined : correlated?.field(name),
    }),
  ]
}

/** `anyOf`, `oneOf`, `allOf` and `not`. */
function checkAlternatives(value: JsonValue, { schema, path, correlated }: Place): ValidationResult {
  const run = (one: Schema): ValidationResult => check(value, { schema: one, path, correlated })
  const results: ValidationResult[] = []
  if (schema.anyOf?.length) results.push(checkAnyOf(schema.anyOf.map(run), path))
  if (schema.oneOf?.length) results.push(checkOneOf(schema.oneOf.map(run), path))
  if (schema.allOf?.length) results.push(checkAllOf(schema.allOf.map(run), path))
  if (schema.not !== undefined && isValid(run(schema.not))) {
    results.push(found(invalidObject(`${JSON.stringify(path)} must not validate the schema (not)`)))
  }
  return mergeResults([...results, counted(1)])
}

function checkAnyOf(results: readonly ValidationResult[], path: string): ValidationResult {
  const success = results.find(isValid)
  if (success !== undefined) return success
  const failure = found(invalidObject(`${JSON.stringify(path)} must validate at least one schema (anyOf)`))
  return mergeResults([failure, bestOf(results)])
}

function checkOneOf(results: readonly ValidationResult[], path: string): ValidationResult {
  const successes = results.filter(isValid)
  const [only] = successes
  if (only !== undefined && successes.length === 1) return only
  const text = `${JSON.stringify(path)} must validate one and only one schema (oneOf). Found`
  if (only === undefined) return mergeResults([found(invalidObject(`${text} none valid`)), bestOf(results)])
  return found(invalidObject(`${text} ${successes.length} valid alternatives`))
}

function checkAllOf(results: readonly ValidationResult[], path: string): ValidationResult {
  const successes = results.filter(isValid).length
  if (successes === results.length) return mergeResults(results)
  const none = successes === 0 ? '. None validated' : ''
  return mergeResults([
    ...results,
    found(invalidObject(`${JSON.stringify(path)} must validate all the schemas (allOf)${none}`)),
  ])
}

function isValid(result: ValidationResult): boolean {
  return result.errors.length === 0
}

/** The failed alternative that came closest. */
function bestOf(results: readonly ValidationResult[]): ValidationResult {
  return results.reduce((a, b) => (b.matches > a.matches ? b : a))
}
