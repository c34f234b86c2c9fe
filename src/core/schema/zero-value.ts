import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Schema } from './schema.ts'

const zeros = new WeakMap<Schema, JsonObject>()

/**
 * What an object is before anything is written to it. For a built-in kind this is the zero value of its Go struct: fields
 * without `omitempty` are there, structs within are too. For a custom resource it is empty.
 */
export function zeroObject(schema: Schema | undefined): JsonObject {
  if (schema?.definition === undefined) return EMPTY
  const known = zeros.get(schema)
  if (known !== undefined) return known
  const zero: { [name: string]: JsonValue } = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = zeroField(schema, name, property)
    if (value !== undefined) zero[name] = value
  }
  zeros.set(schema, Object.freeze(zero))
  return zero
}

const EMPTY: JsonObject = Object.freeze({})

/** A field in the zero value of its struct; `undefined` when it is left out. */
function zeroField(parent: Schema, name: string, property: Schema): JsonValue | undefined {
  const special = NULL_POINTERS.has(`${parent.definition}.${name}`) ? null : parent.zeroFields?.[name]
  if (special !== undefined) return special
  const fallback = property.default
  if (isJsonObject(fallback) && Object.keys(fallback).length === 0) return zeroObject(property)
  if (parent.required?.includes(name) !== true || isOmitted(parent, name)) return undefined
  return parent.valueFields?.has(name) ? undefined : (fallback ?? null)
}

/** Pointers that are in the struct's JSON also when they point nowhere. */
const NULL_POINTERS: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.AzureFilePersistentVolumeSource.secretNamespace',
  'io.k8s.api.core.v1.TypedLocalObjectReference.apiGroup',
  'io.k8s.api.core.v1.TypedObjectReference.apiGroup',
])

/** Required, and left out of the struct's JSON all the same. */
const OMITTED: ReadonlySet<string> = new Set([
  'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.validationActions',
  'io.k8s.api.networking.v1.IPAddressSpec.parentRef',
])

function isOmitted({ definition }: Schema, name: string): boolean {
  return OMITTED.has(`${definition}.${name}`)
}
