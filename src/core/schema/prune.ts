import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/json.ts'
import { Changes, changeItems, fieldsOf, isContainer, itemsOf } from './changes.ts'
import { compareText } from './go-json.ts'
import { propertySchema, type Schema } from './schema.ts'

export interface Pruned<T> {
  readonly value: T
  /** `spec.foo`, `spec.items[0].bar`: fields that the schema does not know, sorted. */
  readonly unknown: readonly string[]
}

/** By schema, the last value that had no unknown fields: what the next one shares with it has none either. */
const lastKept = new WeakMap<Schema, JsonValue>()

/** Without the fields that the schema does not know; the very `value` when there are none. */
export function prune<T extends JsonValue>(value: T, schema: Schema): Pruned<T> {
  const walk = new Walk()
  const kept = lastKept.get(schema)
  const pruned = walk.prune(value, schema, { builtin: schema.definition !== undefined, keep: false, kept })
  if (pruned === value) lastKept.set(schema, value)
  return { value: pruned as T, unknown: walk.unknown.sort(compareText) }
}

/** What holds for the fields of an object, or for the objects in a list. */
interface Place {
  /** Inside a built-in type, where an object without declared fields is a free one. */
  readonly builtin: boolean
  /** Unknown fields are kept. */
  readonly keep: boolean
  /** What stood there in the last value that was kept as it was. */
  readonly kept: JsonValue | undefined
}

class Walk {
  readonly unknown: string[] = []
  /** Where the walk is; printed for unknown fields alone. */
  readonly #path: (string | number)[] = []

  prune(value: JsonValue, schema: Schema | undefined, place: Place): JsonValue {
    if (value === place.kept) return value
    const builtin = place.builtin || schema?.definition !== undefined
    if (schema !== undefined && builtin && isFree(schema)) return value
    const keep = place.keep || schema?.['x-kubernetes-preserve-unknown-fields'] === true
    const here = { builtin, keep, kept: place.kept }
    if (isJsonObject(value)) return this.#pruneObject(value, schema, here)
    return isJsonArray(value) ? this.#pruneItems(value, schema, here) : value
  }

  #pruneObject(object: JsonObject, schema: Schema | undefined, { builtin, keep, kept }: Place): JsonValue {
    const changes = new Changes(object)
    for (const name of Object.keys(object)) {
      const inner = object[name]
      const property = schema && propertySchema(schema, name)
      if (property === undefined && schema?.additionalProperties !== true) {
        if (keep) continue
        this.unknown.push(this.#pathTo(name))
        changes.drop(name)
      } else if (isContainer(inner)) {
        changes.set(name, this.#beneath(name, inner, property, { builtin, keep: false, kept: fieldsOf(kept)[name] }))
      }
    }
    return changes.result()
  }

  #pruneItems(items: JsonArray, schema: Schema | undefined, place: Place): JsonValue {
    if (place.keep && schema?.items === undefined) return items
    return changeItems(items, (item, index) =>
      isContainer(item)
        ? this.#beneath(index, item, schema?.items, { ...place, kept: itemsOf(place.kept)[index] })
        : item,
    )
  }

  #beneath(step: string | number, value: JsonValue, schema: Schema | undefined, place: Place): JsonValue {
    this.#path.push(step)
    const pruned = this.prune(value, schema, place)
    this.#path.pop()
    return pruned
  }

  #pathTo(name: string): string {
    let path = ''
    for (const step of [...this.#path, name]) {
      if (typeof step === 'number') path += `[${step}]`
      else path += path === '' ? step : `.${step}`
    }
    return path
  }
}

/** A built-in type that allows any content: RawExtension, FieldsV1, JSON. */
function isFree({ properties, additionalProperties, items, definition }: Schema): boolean {
  if (properties !== undefined || additionalProperties !== undefined || items !== undefined) return false
  return definition?.endsWith('.CustomResourceSubresourceStatus') !== true
}
