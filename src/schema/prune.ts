import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/json.ts'
import { Changes, changeItems, isContainer } from './changes.ts'
import { compareText } from './go-json.ts'
import { propertySchema, type Schema } from './schema.ts'

export interface Pruned<T> {
  readonly value: T
  /** `spec.foo`, `spec.items[0].bar`: fields that the schema does not know, sorted. */
  readonly unknown: readonly string[]
}

/** Without the fields that the schema does not know; the very `value` when there are none. */
export function prune<T extends JsonValue>(value: T, schema: Schema): Pruned<T> {
  const walk = new Walk()
  const pruned = walk.prune(value, schema, { path: '', builtin: schema.definition !== undefined, keep: false })
  return { value: pruned as T, unknown: walk.unknown.sort(compareText) }
}

interface Place {
  readonly path: string
  /** Inside a built-in type, where an object without declared fields is a free one. */
  readonly builtin: boolean
  /** Unknown fields of this object are kept, or of the objects in this list. */
  readonly keep: boolean
}

class Walk {
  readonly unknown: string[] = []

  prune(value: JsonValue, schema: Schema | undefined, place: Place): JsonValue {
    const builtin = place.builtin || schema?.definition !== undefined
    if (schema !== undefined && builtin && isFree(schema)) return value
    const keep = schema?.['x-kubernetes-preserve-unknown-fields'] === true || place.keep
    const here = { path: place.path, builtin, keep }
    if (isJsonObject(value)) return this.#pruneObject(value, schema, here)
    return isJsonArray(value) ? this.#pruneItems(value, schema, here) : value
  }

  #pruneObject(object: JsonObject, schema: Schema | undefined, place: Place): JsonValue {
    const changes = new Changes(object)
    for (const name of Object.keys(object)) {
      const inner = object[name]
      const known = isKnown(schema, name)
      if (known && !isContainer(inner)) continue
      const path = place.path === '' ? name : `${place.path}.${name}`
      if (known && inner !== undefined) {
        changes.set(name, this.prune(inner, schema && propertySchema(schema, name), { ...place, path, keep: false }))
      } else if (!place.keep) {
        this.unknown.push(path)
        changes.drop(name)
      }
    }
    return changes.result()
  }

  #pruneItems(items: JsonArray, schema: Schema | undefined, place: Place): JsonValue {
    if (place.keep && schema?.items === undefined) return items
    return changeItems(items, (item, index) =>
      isContainer(item) ? this.prune(item, schema?.items, { ...place, path: `${place.path}[${index}]` }) : item,
    )
  }
}

/** A built-in type that allows any content: RawExtension, FieldsV1, JSON. */
function isFree({ properties, additionalProperties, items, definition }: Schema): boolean {
  if (definition?.endsWith('.CustomResourceSubresourceStatus')) return false
  return properties === undefined && additionalProperties === undefined && items === undefined
}

function isKnown(schema: Schema | undefined, name: string): boolean {
  if (schema === undefined) return false
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return true
  return schema.additionalProperties !== undefined && schema.additionalProperties !== false
}
