import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts'
import { type Gvk, gvkOf } from '../../../kube/group-version-kind.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { additionalSchemaOf, type Schema } from '../../../schema/schema.ts'
import { zeroObject } from '../../../schema/zero-value.ts'
import { badRequest } from '../../api-status.ts'
import { isQuantitySchema, scalarDecoderOf } from './go-scalars.ts'
import { DecodeProblem, goTypeOf, jsonTypeOf } from './go-types.ts'

/**
 * A function that reads an object as the server's decoder does with the Go type behind a schema of a built-in kind: nulls
 * and zero values that the type leaves out dropped, those it always writes added, quantities and times in canonical form.
 * The very object comes back when it is in that form already.
 *
 * @throws ApiError 400, from the function, when a value does not fit its type
 */
export function goDecoder(schema: Schema): (object: KubeObject) => KubeObject {
  return (object) => {
    try {
      return decodeStruct(object, schema) as KubeObject
    } catch (error) {
      throw error instanceof DecodeProblem ? refused(gvkOf(object), error) : error
    }
  }
}

function refused({ kind, version }: Gvk, problem: DecodeProblem): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem.print()}`)
}

type Decoder = (value: JsonValue) => JsonValue | undefined

const decoders = new WeakMap<Schema, Decoder>()

/** `undefined` stands for a value that is left out. */
function decode(value: JsonValue | undefined, schema: Schema): JsonValue | undefined {
  if (value === null || value === undefined) return undefined
  let decoder = decoders.get(schema)
  if (!decoder) {
    decoder = decoderOf(schema)
    decoders.set(schema, decoder)
  }
  return decoder(value)
}

function decoderOf(schema: Schema): Decoder {
  const scalar = scalarDecoderOf(schema)
  if (scalar) return scalar
  const { items } = schema
  const values = additionalSchemaOf(schema)
  if (items) return (value) => decodeList(value, schema, items)
  if (values) return (value) => decodeMap(value, schema, values)
  if (schema.properties === undefined) return (value) => value
  return (value) => {
    if (!isJsonObject(value)) throw mismatch(value, schema)
    return decodeStruct(value, schema)
  }
}

function decodeStruct(object: JsonObject, schema: Schema): JsonObject {
  const zero = zeroObject(schema)
  const { properties = {} } = schema
  const fields: Record<string, JsonValue | undefined> = {}
  let changed = false
  for (const name of Object.keys(object)) {
    const given = object[name]
    // No field of a Go type has this name; assigning it would change the prototype.
    if (name === '__proto__') continue
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const value = property ? decodeField(given, { property, name, schema }) : given
    if (value !== given || value === undefined) changed = true
    if (value !== undefined) fields[name] = value
  }
  for (const name of Object.keys(zero)) {
    if (fields[name] !== undefined) continue
    fields[name] = zero[name]
    changed = true
  }
  return changed ? fields : object
}

interface Field {
  readonly property: Schema
  readonly name: string
  /** Of the struct that the field is in. */
  readonly schema: Schema
}

function decodeField(given: JsonValue | undefined, { property, name, schema }: Field): JsonValue | undefined {
  try {
    const value = decode(given, property)
    return value !== undefined && isLeftOut(value, { property, name, schema }) ? undefined : value
  } catch (error) {
    if (error instanceof DecodeProblem) error.enter(schema, name)
    throw error
  }
}

/** Whether a field is left out for its value: empty lists and maps always, other zeros if they are no pointers. */
function isLeftOut(value: JsonValue, { property, name, schema }: Field): boolean {
  if (typeof value === 'object') {
    if (value === null || (isJsonArray(value) ? !isEmptyList(value, property) : !isEmptyMap(value, property)))
      return false
  } else if ((value !== '' && value !== 0 && value !== false) || !isValueField(name, schema)) return false
  return !isAlwaysThere(name, schema) || isValueField(name, schema)
}

/** An empty list of such a field is told from none until the object is stored. */
function isAlwaysThere(name: string, { required, zeroFields }: Schema): boolean {
  return required?.includes(name) === true || zeroFields?.[name] === null
}

function isValueField(name: string, { valueFields }: Schema): boolean {
  return valueFields?.has(name) === true
}

/** A value of any type, such as a default, is kept as it is. */
function isEmptyList(value: readonly JsonValue[], { items }: Schema): boolean {
  return items !== undefined && value.length === 0
}

function isEmptyMap(value: JsonObject, property: Schema): boolean {
  return additionalSchemaOf(property) !== undefined && Object.keys(value).length === 0
}

function decodeList(value: JsonValue, schema: Schema, items: Schema): JsonValue {
  if (!isJsonArray(value)) throw mismatch(value, schema)
  const decoded = value.map((item) => decode(item, items) ?? zeroOf(items))
  return decoded.every((item, index) => item === value[index]) ? value : decoded
}

function decodeMap(value: JsonValue, schema: Schema, values: Schema): JsonValue {
  if (!isJsonObject(value)) throw mismatch(value, schema)
  const entries = Object.entries(value).map(([key, inner]) => [key, decode(inner, values) ?? zeroOf(values)] as const)
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries)
}

/** What stands for a null in a list or map; no built-in kind has lists or maps of switches. */
function zeroOf(schema: Schema): JsonValue {
  if (schema.properties) return zeroObject(schema)
  if (schema.type === 'integer') return 0
  if (isQuantitySchema(schema)) return '0'
  return schema.type === 'string' && schema.format !== 'date-time' ? '' : null
}

function mismatch(value: JsonValue, schema: Schema): DecodeProblem {
  return DecodeProblem.mismatch(jsonTypeOf(value), goTypeOf(schema))
}
