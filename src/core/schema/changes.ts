import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/json.ts'

/** Changes to the fields of an object, which is copied only when there is one. */
export class Changes {
  readonly #object: JsonObject
  #changed: Map<string, JsonValue> | undefined
  #dropped: Set<string> | undefined

  constructor(object: JsonObject) {
    this.#object = object
  }

  /** A field that is missing comes last. */
  set(name: string, value: JsonValue): void {
    if (Object.hasOwn(this.#object, name) && this.#object[name] === value) return
    this.#changed ??= new Map()
    this.#changed.set(name, value)
  }

  drop(name: string): void {
    this.#dropped ??= new Set()
    this.#dropped.add(name)
  }

  /** The object with its changes; the very object when there are none. */
  result(): JsonObject {
    const [changed, dropped] = [this.#changed, this.#dropped]
    if (changed === undefined && dropped === undefined) return this.#object
    const result = new Map([...Object.entries(this.#object), ...(changed ?? [])])
    for (const name of dropped ?? []) result.delete(name)
    return Object.fromEntries(result)
  }
}

/** The items changed one by one; the very list when none changes. */
export function changeItems(items: JsonArray, change: (item: JsonValue, index: number) => JsonValue): JsonArray {
  let changed: JsonValue[] | undefined
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue
    const result = change(item, index)
    if (result === item) continue
    changed ??= [...items]
    changed[index] = result
  }
  return changed ?? items
}

/** Whether something can lie beneath a value. */
export function isContainer(value: JsonValue | undefined): value is JsonArray | JsonObject {
  return typeof value === 'object' && value !== null
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : NO_FIELDS
}

/** The items of a list; none of anything else. */
export function itemsOf(value: JsonValue | undefined): JsonArray {
  return isJsonArray(value) ? value : NO_ITEMS
}

const NO_FIELDS: JsonObject = Object.freeze({})
const NO_ITEMS: JsonArray = Object.freeze([])
