import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
} from '../../../core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import type { PathElement } from '../../../core/schema/path-element.ts'
import type { FieldPath, FieldStep } from '../../role/field-path.ts'
import { applyEntryOf, FIELD_MANAGER, MARKS_PREFIX } from '../ownership/ownership.ts'

/** A node of `managedFields`: `f:` fields, `k:` items by key, `v:` members of a set. An empty node is a whole value. */
type Fields = JsonObject

/**
 * The paths of the fields of `desired` that an entry of `managedFields` does not hold. None means that no other client has changed a field.
 *
 * It needs no schema. The shape of the entry distinguishes maps, lists by key and sets. An empty node is a value that is owned
 * as a whole. `live` is needed for empty lists only: an empty list of associative type leaves no trace in an entry, so it
 * counts as covered while the live object has nothing in its place.
 */
export function uncoveredFields(
  desired: JsonObject,
  fields: Fields | undefined,
  live: JsonObject,
): readonly JsonPath[] {
  const walk = new Walk()
  for (const key of Object.keys(desired)) if (!UNTRACKED.has(key)) walk.field(key, desired[key], fields ?? {}, live)
  return walk.missing
}

/** The server strips these from every entry. */
const UNTRACKED = new Set(['apiVersion', 'kind'])
const UNTRACKED_METADATA = new Set(['name', 'namespace', 'uid'])
const NOTHING: Fields = {}

/** Nearly every walk misses nothing, so only the way to what is missing is copied. */
class Walk {
  readonly missing: JsonPath[] = []
  readonly #path: (string | number)[] = []

  field(key: string, value: JsonValue | undefined, fields: Fields, live: JsonValue | undefined): void {
    const path = this.#path
    if (value === undefined || (path.length === 1 && path[0] === 'metadata' && UNTRACKED_METADATA.has(key))) return
    const liveValue = isJsonObject(live) ? live[key] : undefined
    const node = fields[`f:${key}`]
    path.push(key)
    if (isJsonObject(node)) this.#value(value, node, liveValue)
    else if (isJsonObject(value) && Object.keys(value).length > 0) this.#fields(value, NOTHING, liveValue)
    else if (!(isEmptyList(value) && (liveValue === undefined || isEmptyList(liveValue)))) this.#miss()
    path.pop()
  }

  #fields(value: JsonObject, fields: Fields, live: JsonValue | undefined): void {
    for (const key of Object.keys(value)) this.field(key, value[key], fields, live)
  }

  #value(value: JsonValue, node: Fields, live: JsonValue | undefined): void {
    if (Object.keys(node).length === 0) return
    if (isJsonArray(value)) this.#list(value, node, live)
    else if (isJsonObject(value)) this.#fields(value, node, live)
  }

  #list(items: JsonArray, node: Fields, live: JsonValue | undefined): void {
    const taken = new Set<KeyedEntry>()
    for (const { item, index, candidates } of rarestFirst(items, keyedEntries(node))) {
      this.#path.push(index)
      const entry = candidates.find((candidate) => !taken.has(candidate))
      if (!isJsonObject(item)) {
        if (!Object.hasOwn(node, `v:${JSON.stringify(item)}`)) this.#miss()
      } else if (entry) {
        taken.add(entry)
        this.#value(item, entry.node, liveItem(live, entry))
      } else this.#miss()
      this.#path.pop()
    }
  }

  #miss(): void {
    this.missing.push([...this.#path])
  }
}

interface KeyedEntry {
  readonly keys: JsonObject
  readonly node: Fields
}

function keyedEntries(node: Fields): readonly KeyedEntry[] {
  return Object.entries(node).flatMap(([name, child]) => {
    if (!name.startsWith('k:') || !isJsonObject(child)) return []
    return [{ keys: JSON.parse(name.slice(2)) as JsonObject, node: child }]
  })
}

/**
 * Items with the entries that may be theirs. The server adds defaults to the keys of an entry (`protocol: TCP`), so an item matches by the
 * keys that it states. Items with the fewest candidates come first, since they must choose first.
 */
function rarestFirst(items: JsonArray, entries: readonly KeyedEntry[]) {
  return items
    .map((item, index) => ({ item, index, candidates: entries.filter((entry) => isItemOf(item, entry)) }))
    .sort((a, b) => a.candidates.length - b.candidates.length)
}

function isItemOf(item: JsonValue, { keys }: KeyedEntry): boolean {
  if (!isJsonObject(item)) return false
  const stated = Object.keys(keys).filter((key) => item[key] !== undefined)
  return stated.length > 0 && stated.every((key) => jsonEquals(item[key], keys[key]))
}

function liveItem(live: JsonValue | undefined, entry: KeyedEntry): JsonValue | undefined {
  return isJsonArray(live) ? live.find((item) => isItemOf(item, entry)) : undefined
}

function isEmptyList(value: JsonValue | undefined): boolean {
  return isJsonArray(value) && value.length === 0
}

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

/** Fields of an object that another manager holds. */
export interface HeldFields {
  readonly manager: string
  /** Of what is held as a whole, the way to it alone. */
  readonly paths: readonly JsonPath[]
}

/** The fields that we hold and others as well: when we drop one, it stays. `object` has the entries of all managers. */
export function sharedFields(object: KubeObject): readonly HeldFields[] {
  return heldByOthers(object, () => ourFields(object))
}

/**
 * The fields that an apply of ours has dropped and that stay, since others hold them. `before` needs our entry alone; what
 * the role hands over is left to others on purpose.
 */
export function keptFields(
  before: KubeObject,
  after: KubeObject,
  handOver: readonly FieldPath[] = [],
): readonly HeldFields[] {
  const dropped = (): FieldSet => ourFields(before).difference(ourFields(after))
  return heldByOthers(after, dropped, (path) => !isHandedOver(path, handOver))
}

/** What an entry of `managedFields` holds. */
export function fieldsOf({ fieldsV1 }: ManagedFieldsEntry): FieldSet {
  return FieldSet.fromFieldsV1((fieldsV1 ?? {}) as JsonObject)
}

function ourFields(object: KubeObject): FieldSet {
  return fieldsOf(applyEntryOf(object, FIELD_MANAGER) ?? {})
}

/** Of the fields that `find` yields. It is asked only where there is another manager. */
function heldByOthers(
  object: KubeObject,
  find: () => FieldSet,
  isMeant: (path: readonly PathElement[]) => boolean = () => true,
): readonly HeldFields[] {
  const entries = (object.metadata.managedFields ?? []).filter(
    ({ manager = '', fieldsV1 }) => manager !== '' && manager !== FIELD_MANAGER && fieldsV1 !== undefined,
  )
  const fields = entries.length === 0 ? FieldSet.empty : find()
  if (fields.isEmpty()) return []
  const held = [...Map.groupBy(entries, ({ manager }) => manager as string)].map(([manager, own]) => {
    const theirs = own.map(fieldsOf).reduce((all, one) => all.union(one))
    const common = [...topmost(fields.intersection(theirs))].filter(isMeant)
    return { manager, paths: common.map((path) => placeOf(path, object)).filter((place) => place !== undefined) }
  })
  return held.filter(({ paths }) => paths.length > 0)
}

/** The fields of a set without those that lie beneath another one of it. */
function* topmost(set: FieldSet, above: readonly PathElement[] = []): Iterable<readonly PathElement[]> {
  for (const [element, { member, children }] of set.entries()) {
    const path = [...above, element]
    if (member) yield path
    else if (children) yield* topmost(children, path)
  }
}

/** Where a field is in an object; `undefined` when it is not there. */
function placeOf(path: readonly PathElement[], object: KubeObject): JsonPath | undefined {
  const place: (string | number)[] = []
  let here: JsonValue | undefined = object as JsonObject
  for (const element of path) {
    const step = stepTo(element, here)
    if (step === undefined) return undefined
    place.push(step)
    here = (here as { readonly [step: string | number]: JsonValue })[step]
  }
  return place
}

/** The step in a value that stands for one of an entry; `undefined` when it leads nowhere. */
export function stepTo(element: PathElement, value: JsonValue | undefined): string | number | undefined {
  const text = element.slice(2)
  if (isJsonObject(value)) return element.startsWith('f:') && Object.hasOwn(value, text) ? text : undefined
  if (!isJsonArray(value)) return undefined
  const wanted: JsonValue = JSON.parse(text)
  if (element.startsWith('i:')) return (wanted as number) < value.length ? (wanted as number) : undefined
  const index = value.findIndex((item) => {
    if (element.startsWith('v:')) return jsonEquals(item, wanted)
    return isJsonObject(item) && Object.entries(wanted as JsonObject).every(([key, one]) => jsonEquals(item[key], one))
  })
  return index < 0 ? undefined : index
}
