import { isJsonArray, isJsonObject, type JsonValue, jsonEquals } from '../base/json.ts'
import { additionalSchemaOf, type Schema } from './schema.ts'

/** A value with the stored value that it replaces; complaints about what did not change are forgiven. */
export class Correlated {
  readonly value: JsonValue
  readonly #old: JsonValue
  readonly #schema: Schema

  constructor(value: JsonValue, old: JsonValue, schema: Schema) {
    this.value = value
    this.#old = old
    this.#schema = schema
  }

  isUnchanged(): boolean {
    return jsonEquals(this.value, this.#old)
  }

  field(name: string): Correlated | undefined {
    if (!isJsonObject(this.value) || !isJsonObject(this.#old)) return undefined
    if (!Object.hasOwn(this.value, name) || !Object.hasOwn(this.#old, name)) return undefined
    const [value, old] = [this.value[name], this.#old[name]]
    const { properties } = this.#schema
    const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
    const schema = declared ?? additionalSchemaOf(this.#schema)
    if (value === undefined || old === undefined || schema === undefined) return undefined
    return new Correlated(value, old, schema)
  }

  /** Only items of `map` lists have a past. */
  item(index: number): Correlated | undefined {
    const { items, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys = [] } = this.#schema
    if (listType !== 'map' || items === undefined || keys.length === 0) return undefined
    const value = isJsonArray(this.value) ? this.value[index] : undefined
    const old = isJsonArray(this.#old) ? this.#old.find((item) => sameKeys(item, value, keys)) : undefined
    return value === undefined || old === undefined ? undefined : new Correlated(value, old, items)
  }
}

function sameKeys(left: JsonValue, right: JsonValue | undefined, keys: readonly string[]): boolean {
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  return keys.every((key) => {
    const value = left[key]
    return value !== undefined && value !== null && typeof value !== 'object' && value === right[key]
  })
}
