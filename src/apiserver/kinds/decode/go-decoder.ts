import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts'
import { type Gvk, gvkOf } from '../../../kube/group-version-kind.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { additionalSchemaOf, type Schema } from '../../../schema/schema.ts'
import { zeroObject } from '../../../schema/zero-value.ts'
import { badRequest } from '../../api-status.ts'
import { decodeScalar, isScalar } from './go-scalars.ts'
import { DecodeProblem, goTypeOf, jsonTypeOf, type Place } from './go-types.ts'

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
      return decodeStruct(object, schema, { struct: structOf(schema), path: '' }) as KubeObject
    } catch (error) {
      if (error instanceof DecodeProblem) throw refused(gvkOf(object), error)
      throw error
    }
  }
}

function refused({ kind, version }: Gvk, { message }: DecodeProblem): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${message}`)
}

/** `undefined` stands for a value that is left out. */
function decode(value: JsonValue | undefined, schema: Schema, place: Place): JsonValue | undefined {
  if (value === null || value === undefined) return undefined
  if (isScalar(schema)) return decodeScalar(value, schema, place)
  if (schema.type === 'array' || schema.items) return decodeList(value, schema, place)
  const values = additionalSchemaOf(schema)
  if (values) return decodeMap(value, schema, place)
  if (schema.properties === undefined) return value
  if (!isJsonObject(value)) throw mismatch(value, schema, place)
  return decodeStruct(value, schema, { ...place, struct: structOf(schema) || place.struct })
}

function decodeStruct(object: JsonObject, schema: Schema, place: Place): JsonObject {
  const fields: Record<string, JsonValue | undefined> = { ...zeroObject(schema) }
  let changed = Object.keys(fields).some((name) => object[name] === undefined)
  for (const [name, given] of Object.entries(object)) {
    const property = schema.properties?.[name]
    const value = property ? decode(given, property, inside(place, name)) : given
    const kept = value !== undefined && property && isLeftOut(name, value, schema) ? undefined : value
    if (kept !== given || kept === undefined) changed = true
    if (kept !== undefined) fields[name] = kept
  }
  return changed ? fields : object
}

function inside({ struct, path }: Place, name: string): Place {
  return { struct, path: path === '' ? name : `${path}.${name}` }
}

/** Whether a field is left out for its value: empty lists and maps always, other zeros if they are no pointers. */
function isLeftOut(name: string, value: JsonValue, schema: Schema): boolean {
  const property = schema.properties?.[name]
  const isNeeded = schema.required?.includes(name) === true && schema.valueFields?.has(name) !== true
  if (isNeeded || !property) return false
  if (isJsonArray(value)) return value.length === 0
  if (isJsonObject(value) && additionalSchemaOf(property)) return Object.keys(value).length === 0
  return (value === '' || value === 0 || value === false) && schema.valueFields?.has(name) === true
}

function decodeList(value: JsonValue, schema: Schema, place: Place): JsonValue {
  if (!isJsonArray(value)) throw mismatch(value, schema, place)
  const { items } = schema
  if (!items) return value
  const decoded = value.map((item) => decode(item, items, place) ?? zeroOf(items))
  return decoded.every((item, index) => item === value[index]) ? value : decoded
}

function decodeMap(value: JsonValue, schema: Schema, place: Place): JsonValue {
  if (!isJsonObject(value)) throw mismatch(value, schema, place)
  const values = additionalSchemaOf(schema)
  if (!values) return value
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, decode(inner, values, place) ?? zeroOf(values)] as const,
  )
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries)
}

/** What stands for a null in a list or map. */
function zeroOf(schema: Schema): JsonValue {
  if (schema.properties) return zeroObject(schema)
  if (schema.type === 'integer' || schema.type === 'number') return 0
  if (schema.type === 'boolean') return false
  return schema.type === 'string' ? '' : null
}

function mismatch(value: JsonValue, schema: Schema, place: Place): DecodeProblem {
  return DecodeProblem.mismatch(jsonTypeOf(value), goTypeOf(schema), place)
}

/** `DeploymentSpec`, of `io.k8s.api.apps.v1.DeploymentSpec`. */
function structOf(schema: Schema): string {
  return schema.definition?.split('.').at(-1) ?? ''
}
