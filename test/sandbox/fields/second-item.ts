import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { propertySchema } from '../../../src/core/schema/schema.ts'

/** The last list on the way to a field with an item more in it, and the way to the field through that item. */
export interface SecondItem {
  readonly path: JsonPath
  readonly before: { readonly path: JsonPath; readonly value: JsonValue }
}

/** `undefined` where no list is on the way, the object has none there, or the way leads through another item as it is. */
export function secondItemOf(object: JsonValue, schema: Schema, path: JsonPath): SecondItem | undefined {
  const at = path.findLastIndex((step) => typeof step === 'number')
  const list = path[at] === 0 ? getPath(object, path.slice(0, at)) : undefined
  if (!isJsonArray(list) || list[0] === undefined) return undefined
  const keys = schemaAt(schema, path.slice(0, at))['x-kubernetes-list-map-keys'] ?? ['name']
  const value = [...list, otherItem(list[0], keys)]
  return {
    path: [...path.slice(0, at), list.length, ...path.slice(at + 1)],
    before: { path: path.slice(0, at), value },
  }
}

/** A copy that another item of the list may stand beside. */
function otherItem(item: JsonValue, keys: readonly string[]): JsonValue {
  if (!isJsonObject(item)) return other(item)
  const changed = keys.flatMap((key) => (item[key] === undefined ? [] : [[key, other(item[key])]]))
  return { ...item, ...Object.fromEntries(changed) }
}

function other(value: JsonValue): JsonValue {
  if (typeof value === 'number') return value + 1
  return typeof value === 'string' ? `${value}2` : value
}

function schemaAt(schema: Schema, path: JsonPath): Schema {
  return path.reduce<Schema>(
    (here, step) => (typeof step === 'number' ? here.items : propertySchema(here, step)) ?? {},
    schema,
  )
}
