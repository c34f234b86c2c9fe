import { isJsonArray, isJsonObject, type JsonValue, jsonEquals } from '../base/json.ts'
import { isBuiltin, propertySchema, type Schema } from './schema.ts'

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

  /** As the server compares: an object that has a field without a schema never counts as unchanged. */
  isUnchanged(): boolean {
    const [value, old] = [this.value, this.#old]
    if (isJsonArray(value) && isJsonArray(old) && this.#schema['x-kubernetes-list-type'] === 'map') {
      return value.length === old.length && value.every((_item, index) => this.item(index)?.isUnchanged() === true)
    }
    if (!isJsonObject(value) || !isJsonObject(old)) return jsonEquals(value, old)
    const names = Object.keys(value)
    return names.length === Object.keys(old).length && names.every((name) => this.field(name)?.isUnchanged() === true)
  }

  field(name: string): Correlated | undefined {
    const [value, old] = [fieldOf(this.value, name), fieldOf(this.#old, name)]
    const schema = propertySchema(this.#schema, name)
    if (value === undefined || old === undefined || schema === undefined || isBuiltin(schema)) return undefined
    return new Correlated(value, old, schema)
  }

  /** Only items of `map` lists have a past. */
  item(index: number): Correlated | undefined {
    const { items, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys = [] } = this.#schema
    if (listType !== 'map' || items === undefined || keys.length === 0) return undefined
    const [values, olds] = [this.value, this.#old]
    if (!isJsonArray(values) || !isJsonArray(olds)) return undefined
    const value = values[index]
    const old = olds.find((item) => sameKeys(item, value, keys))
    return value === undefined || old === undefined ? undefined : new Correlated(value, old, items)
  }
}

function fieldOf(value: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function sameKeys(left: JsonValue, right: JsonValue | undefined, keys: readonly string[]): boolean {
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  return keys.every((key) => {
    const value = left[key]
    return value !== undefined && value !== null && typeof value !== 'object' && value === right[key]
  })
}
