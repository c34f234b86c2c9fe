import { isJsonObject, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, forbidden, invalid, invalidFor, tooLong } from './common/field-errors.ts'
import { objectAt, sortedEntries } from './common/fields.ts'
import { checkConfigKey } from './common/formats.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }

export const configMap: KindRules = {
  gvk,
  validate: (object, old) => [
    ...validateData(object),
    ...(old ? validateFrozen(object, old, ['data', 'binaryData']) : []),
  ],
  columns: columnsOf(gvk, {
    Data: (object) => entryCount(object, 'data') + entryCount(object, 'binaryData'),
  }),
}

/** How many keys a map has. */
export function entryCount(object: KubeObject, field: string): number {
  return sortedEntries(objectAt(object, field)).length
}

function validateData(object: KubeObject): FieldErrors {
  const binary = object.binaryData
  const isBoth = (key: string): boolean => isJsonObject(binary) && binary[key] !== undefined
  return [
    ...sortedEntries(objectAt(object, 'data')).flatMap(([key]) => [
      ...invalidFor(`data[${key}]`, key, checkConfigKey(key)),
      ...(isBoth(key) ? [invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')] : []),
    ]),
    ...validateKeys(objectAt(object, 'binaryData'), 'binaryData'),
    ...validateSize(bytesOf(object), '[]'),
  ]
}

const MAX_BYTES = 1024 * 1024

/** What one object may hold. */
export function validateSize(bytes: number, field: string): FieldErrors {
  return bytes > MAX_BYTES ? [tooLong(field, MAX_BYTES)] : []
}

/** Of all values; keys do not count. */
function bytesOf(object: KubeObject): number {
  const texts = sortedEntries(objectAt(object, 'data')).map(([, value]) => Buffer.byteLength(String(value)))
  return texts.reduce((sum, each) => sum + each, encodedBytes(objectAt(object, 'binaryData')))
}

/** Of all values, which are base64. */
export function encodedBytes(data: JsonObject): number {
  return Object.values(data).reduce((sum: number, value) => sum + Buffer.from(String(value), 'base64').length, 0)
}

export function validateKeys(data: JsonObject, field: string): FieldErrors {
  return sortedEntries(data).flatMap(([key]) => invalidFor(`${field}[${key}]`, key, checkConfigKey(key)))
}

/** Once `immutable` is set, neither it nor the data can change. */
export function validateFrozen(object: KubeObject, old: KubeObject, fields: readonly string[]): FieldErrors {
  if (old.immutable !== true) return []
  const changed = fields.filter((field) => !jsonEquals(object[field] ?? {}, old[field] ?? {}))
  const frozen = object.immutable === true ? changed : ['immutable', ...changed]
  return frozen.map((field) => forbidden(field, 'field is immutable when `immutable` is set'))
}
