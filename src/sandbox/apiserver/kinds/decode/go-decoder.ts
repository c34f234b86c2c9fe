import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { Changes, changeItems } from '../../../../core/schema/changes.ts'
import { additionalSchemaOf, type Schema } from '../../../../core/schema/schema.ts'
import { zeroObject } from '../../../../core/schema/zero-value.ts'
import { badRequest } from '../../api-status.ts'
import { rememberLast } from '../common/remember-last.ts'
import { isQuantitySchema, scalarDecoderOf } from './go-scalars.ts'
import { DecodeProblem } from './go-types.ts'

/**
 * A function that reads an object as the server's decoder does with the Go type behind a schema of a built-in kind: nulls
 * and zero values that the type leaves out dropped, those it always writes added, quantities and times in canonical form.
 * Empty lists, maps and bytes stay: in memory they differ from none. See `empty-parts.ts` for how they go.
 * The very object comes back when it is in that form already.
 *
 * @throws ApiError 400, from the function, when a value does not fit its type
 */
export function keepingDecoder(schema: Schema): (object: KubeObject) => KubeObject {
  return (object) => {
    try {
      return decodeStruct(object, structOf(schema)) as KubeObject
    } catch (error) {
      throw error instanceof DecodeProblem ? refused(gvkOf(object), error) : error
    }
  }
}

/**
 * A part of an object, read as the Go type behind its schema.
 *
 * @throws DecodeProblem
 */
export function decodeKeepingEmpty(part: JsonObject, schema: Schema): JsonObject {
  return decodeStruct(part, structOf(schema))
}

/** A refusal whose `cause` is the problem. */
export function refused({ kind, version }: Gvk, problem: DecodeProblem): Error {
  const error = badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem.print()}`)
  error.cause = problem
  return error
}

type Decoder = (value: JsonValue) => JsonValue | undefined

const decoders = new WeakMap<Schema, Decoder>()

/** Made when it is first needed: a schema may contain itself. */
function decoderOf(schema: Schema): Decoder {
  const known = decoders.get(schema)
  if (known) return known
  const decoder = newDecoder(schema)
  decoders.set(schema, decoder)
  return decoder
}

function newDecoder(schema: Schema): Decoder {
  return scalarDecoderOf(schema) ?? rememberLast(containerDecoderOf(schema))
}

function containerDecoderOf(schema: Schema): Decoder {
  const { items } = schema
  const values = additionalSchemaOf(schema)
  if (items) return (value) => decodeList(value, schema, items)
  if (values) return (value) => decodeMap(value, schema, values)
  if (schema.properties === undefined && !isEmptyStruct(schema)) return (value) => value
  const struct = structOf(schema)
  return (value) => {
    if (!isJsonObject(value)) throw DecodeProblem.mismatch(value, schema)
    return decodeStruct(value, struct)
  }
}

/** A struct without fields; types that take any JSON have no fields either. */
function isEmptyStruct({ type, definition }: Schema): boolean {
  return type === 'object' && definition !== undefined && !TAKES_ANYTHING.test(definition)
}

const TAKES_ANYTHING = /\.(RawExtension|FieldsV1)$/

/** A field of a struct, and when it is left out. */
export interface Field {
  readonly schema: Schema
  readonly decode: Decoder
  readonly holds: 'items' | 'values' | 'bytes' | 'neither'
  /** No pointer in Go. */
  readonly isValue: boolean
  readonly isAlwaysThere: boolean
}

/** What the schema says of a struct, worked out once. */
export interface Struct {
  readonly schema: Schema
  /** The zero value: the fields that a decoded struct always has. */
  readonly zero: JsonObject
  readonly zeroNames: readonly string[]
  /** Those that were met so far. */
  readonly fields: Map<string, Field>
}

const structs = new WeakMap<Schema, Struct>()

export function structOf(schema: Schema): Struct {
  const known = structs.get(schema)
  if (known) return known
  const zero = zeroObject(schema)
  const struct = { schema, zero, zeroNames: Object.keys(zero), fields: new Map<string, Field>() }
  structs.set(schema, struct)
  return struct
}

/** `undefined` for a name that the schema does not know. */
export function fieldOf({ schema, fields }: Struct, name: string): Field | undefined {
  const known = fields.get(name)
  if (known) return known
  const { properties = {}, required, zeroFields, valueFields } = schema
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!property) return undefined
  const field: Field = {
    schema: property,
    decode: decoderOf(property),
    holds: holdsOf(property),
    isValue: valueFields?.has(name) === true,
    isAlwaysThere: required?.includes(name) === true || zeroFields?.[name] === null,
  }
  fields.set(name, field)
  return field
}

/** A value of any type, such as a default, holds neither, and is kept as it is. */
function holdsOf(property: Schema): Field['holds'] {
  if (property.items !== undefined) return 'items'
  if (property.type === 'string' && property.format === 'byte') return 'bytes'
  return additionalSchemaOf(property) === undefined ? 'neither' : 'values'
}

function decodeStruct(object: JsonObject, struct: Struct): JsonObject {
  const fields: Record<string, JsonValue | undefined> = {}
  let changed = false
  let first: DecodeProblem | undefined
  for (const name of Object.keys(object)) {
    const given = object[name]
    // No field of a Go type has this name; assigning it would change the prototype.
    if (name === '__proto__') continue
    const field = fieldOf(struct, name)
    try {
      const value = field ? decodeField(given, field) : given
      if (value !== given || value === undefined) changed = true
      if (value !== undefined) fields[name] = value
    } catch (error) {
      if (error instanceof DecodeProblem) error.enter(struct.schema, name)
      first = firstOf(first, error)
    }
  }
  if (first) throw first
  return fillZeros(fields, struct) || changed ? fields : object
}

/** The problem that the decoder reports: the first one, unless a later one is final. So it goes on after most problems. */
function firstOf(first: DecodeProblem | undefined, error: unknown): DecodeProblem {
  if (error instanceof DecodeProblem && !error.isFinal) return first ?? error
  throw error
}

/** Whether any was missing. */
function fillZeros(fields: Record<string, JsonValue | undefined>, { zero, zeroNames }: Struct): boolean {
  let missing = false
  for (const name of zeroNames) {
    if (fields[name] !== undefined) continue
    fields[name] = zero[name]
    missing = true
  }
  return missing
}

/** `undefined` for what is left out: nulls, and what is zero in Go. */
function decodeField(given: JsonValue | undefined, field: Field): JsonValue | undefined {
  if (given === null || given === undefined) return undefined
  const value = field.decode(given)
  return value === undefined || isLeftOut(value, field) ? undefined : value
}

/** Zeros that are no pointers. */
function isLeftOut(value: JsonValue, { holds, isValue }: Field): boolean {
  return isValue && holds !== 'bytes' && (value === '' || value === 0 || value === false)
}

function decodeList(value: JsonValue, schema: Schema, items: Schema): JsonValue {
  if (!isJsonArray(value)) throw DecodeProblem.mismatch(value, schema)
  let first: DecodeProblem | undefined
  const decoded = changeItems(value, (item) => {
    try {
      return decodeInner(item, items)
    } catch (error) {
      first = firstOf(first, error)
      return null
    }
  })
  if (first) throw first
  return decoded
}

function decodeMap(value: JsonValue, schema: Schema, values: Schema): JsonValue {
  if (!isJsonObject(value)) throw DecodeProblem.mismatch(value, schema)
  const changes = new Changes(value)
  let first: DecodeProblem | undefined
  for (const key of Object.keys(value)) {
    try {
      changes.set(key, decodeInner(value[key], values))
    } catch (error) {
      first = firstOf(first, error)
    }
  }
  if (first) throw first
  return changes.result()
}

function decodeInner(value: JsonValue | undefined, schema: Schema): JsonValue {
  const decoded = value === null || value === undefined ? undefined : decoderOf(schema)(value)
  return decoded ?? zeroOf(schema)
}

/** What stands for a null in a list or map; no built-in kind has lists or maps of switches. */
function zeroOf(schema: Schema): JsonValue {
  if (schema.properties) return zeroObject(schema)
  if (schema.type === 'integer') return 0
  if (isQuantitySchema(schema)) return '0'
  return schema.type === 'string' && schema.format !== 'date-time' ? '' : null
}
