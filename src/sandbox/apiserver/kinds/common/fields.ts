import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../../../core/base/json.ts'
import { changeItems } from '../../../../core/schema/changes.ts'

/** The object with `defaults` for the fields it does not have. The object itself when it has them all. */
export function withDefaults<T extends JsonObject>(object: T, defaults: JsonObject): T {
  let completed: Record<string, JsonValue | undefined> | undefined
  for (const name of Object.keys(defaults)) {
    if (defaults[name] === undefined || object[name] !== undefined) continue
    completed ??= { ...object }
    completed[name] = defaults[name]
  }
  return (completed as T | undefined) ?? object
}

/** The object with one field changed by `change`, if it has the field and it changes. */
export function mapField<T extends JsonObject>(object: T, name: string, change: (value: JsonObject) => JsonValue): T {
  const value = object[name]
  if (!isJsonObject(value)) return object
  const changed = change(value)
  return changed === value ? object : { ...object, [name]: changed }
}

/** As `mapField` for each of several fields, but the object is copied once. */
export function mapFields<T extends JsonObject>(
  object: T,
  changes: Readonly<Record<string, (value: JsonObject) => JsonValue>>,
): T {
  let mapped: Record<string, JsonValue | undefined> | undefined
  for (const [name, change] of Object.entries(changes)) {
    const value = object[name]
    const changed = isJsonObject(value) ? change(value) : value
    if (changed === value) continue
    mapped ??= { ...object }
    mapped[name] = changed
  }
  return (mapped as T | undefined) ?? object
}

/** The object with every item of the list in one field changed by `change`. */
export function mapItems<T extends JsonObject>(object: T, name: string, change: (item: JsonObject) => JsonObject): T {
  const items = itemsAt(object, name)
  const changed = changeItems(items, (item) => change(item as JsonObject))
  return changed === items ? object : { ...object, [name]: changed }
}

/** The object with the field at `path` set; absent objects on the way are made. `undefined` takes the field away. */
export function setPath<T extends JsonObject>(object: T, path: JsonPath, value: JsonValue | undefined): T {
  const [step = '', ...rest] = path
  const next = rest.length === 0 ? value : setPath(objectAt(object, String(step)), rest, value)
  return { ...object, [step]: next }
}

/** The object without some of its fields; the object itself when it has none of them. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  if (names.every((name) => object[name] === undefined)) return object
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** A field's value if it is an object, else an empty one, always the same. */
export function objectAt(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name]
  return isJsonObject(value) ? value : EMPTY
}

const EMPTY: JsonObject = Object.freeze({})

/** A field's items that are objects; empty when there is no such list. */
export function itemsAt(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object?.[name]
  return isJsonArray(value) ? value.filter(isJsonObject) : []
}

export function textAt(object: JsonObject | undefined, name: string): string {
  return textOf(object?.[name])
}

/** A value that is a text; of anything else, an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberAt(object: JsonObject | undefined, name: string): number {
  const value = object?.[name]
  return typeof value === 'number' ? value : 0
}

/** A list of texts; empty when there is none. */
export function textsAt(object: JsonObject | undefined, name: string): readonly string[] {
  const value = object?.[name]
  return isJsonArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Entries in the order of their keys, as the server walks maps. */
export function sortedEntries(object: JsonObject): readonly (readonly [string, JsonValue])[] {
  const entries = Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
  return entries.sort(([left], [right]) => (left < right ? -1 : 1))
}
