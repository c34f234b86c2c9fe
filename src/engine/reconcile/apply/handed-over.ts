import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { FieldPath, FieldStep } from '../../role/field-path.ts'
import { FIELD_MANAGER, MARKS_PREFIX } from '../ownership/marks.ts'

/**
 * Removes fields that are handed over: those at or below `paths` that another manager owns, in the object or in a subresource of it.
 * `live` must come from the server, with the entries of all managers.
 */
export function withoutHandedOver(desired: KubeObject, live: KubeObject, paths: readonly FieldPath[]): KubeObject {
  const others = (live.metadata.managedFields ?? []).filter(({ manager }) => manager !== FIELD_MANAGER)
  let sent: JsonValue = desired as JsonObject
  for (const { fieldsV1 } of others) {
    for (const path of fieldsV1 ? paths : []) sent = without(sent, fieldsV1 as JsonObject, path) as JsonValue
  }
  return sent as KubeObject
}

/** Whether a field, as a way through an entry of `managedFields`, stands at or below one of the paths. */
export function isHandedOver(field: readonly string[], paths: readonly FieldPath[]): boolean {
  return paths.some((path) => path.every((step, index) => isStep(field[index] ?? '', step)))
}

function isStep(element: string, step: FieldStep): boolean {
  if (typeof step === 'string') return element === `f:${step}`
  if (!element.startsWith('k:')) return false
  const texts = textsOf(element)
  return Object.entries(step.keys).every(([key, text]) => texts[key] === text)
}

/** What stands at the paths: while it is the same, and we hold the same fields, so do the others. */
export function valuesAt(object: KubeObject, paths: readonly FieldPath[]): JsonArray {
  return paths.map((path) => {
    const [value] = path.reduce<readonly JsonValue[]>(stepInto, [object as JsonObject])
    return value ?? null
  })
}

function stepInto(places: readonly JsonValue[], step: FieldStep): readonly JsonValue[] {
  return places.flatMap((place) => {
    const found =
      typeof step === 'string' ? fieldOf(place, step) : itemsOf(place).find((item) => isItem(item, step.keys))
    return found === undefined ? [] : [found]
  })
}

/** The value without the parts that the entry holds, or `undefined` if nothing is left of it. */
function without(value: JsonValue, entry: JsonObject, [step, ...rest]: readonly FieldStep[]): JsonValue | undefined {
  if (step === undefined) return withoutOwned(value, entry)
  if (typeof step !== 'string') return withoutIn(value, entry, { isMeant: (item) => isItem(item, step.keys), rest })
  const node = entry[`f:${step}`]
  const field = fieldOf(value, step)
  if (field === undefined || !isJsonObject(node)) return value
  return withField(value as JsonObject, step, without(field, node, rest))
}

function withoutOwned(value: JsonValue, entry: JsonObject): JsonValue | undefined {
  const names = Object.keys(entry).filter((name) => name !== '.')
  if (names.length === 0) return undefined
  if (isJsonArray(value)) return withoutIn(value, entry, { isMeant: () => true, rest: [] })
  let left: JsonValue | undefined = value
  for (const name of names) {
    const key = name.slice(2)
    const field = fieldOf(left, key)
    if (field === undefined || key.startsWith(MARKS_PREFIX)) continue
    left = withField(left as JsonObject, key, withoutOwned(field, entry[name] as JsonObject))
  }
  return left
}

interface Items {
  isMeant(item: JsonValue): boolean
  readonly rest: readonly FieldStep[]
}

/** Does the same within the items of a list that the entry knows by their keys. */
function withoutIn(value: JsonValue, entry: JsonObject, { isMeant, rest }: Items): JsonValue {
  return itemsOf(value).flatMap((item) => {
    const known = Object.entries(entry).find(([name]) => name.startsWith('k:') && isItem(item, textsOf(name)))
    if (!known || !isMeant(item)) return [item]
    const left = without(item, known[1] as JsonObject, rest)
    // The keys identify the item, so they stay as long as another field of it does.
    const keys = Object.keys(textsOf(known[0]))
    const kept = left === undefined ? [] : Object.keys(left as JsonObject).filter((key) => !keys.includes(key))
    if (kept.length === 0 && rest.length === 0) return []
    const own = Object.entries(item as JsonObject).filter(([key]) => keys.includes(key))
    return [{ ...Object.fromEntries(own), ...(left as JsonObject) }]
  })
}

/** Sets or removes a field. An object that loses its last field is removed, too. */
function withField(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject | undefined {
  if (value !== undefined) return { ...object, [name]: value }
  const { [name]: _gone, ...rest } = object
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** The keys in the name of an entry such as `k:{"name":"web"}`. */
function textsOf(name: string): Readonly<Record<string, string>> {
  const keys = JSON.parse(name.slice(2)) as JsonObject
  return Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, String(value)]))
}

/** Compares the keys that the item states. The server adds defaults for the others. */
function isItem(item: JsonValue, keys: Readonly<Record<string, string>>): boolean {
  if (!isJsonObject(item)) return false
  const stated = Object.keys(keys).filter((key) => item[key] !== undefined)
  return stated.length > 0 && stated.every((key) => String(item[key]) === keys[key])
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function itemsOf(value: JsonValue): JsonArray {
  return isJsonArray(value) ? value : []
}
