import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
} from '../../../core/base/json.ts'

/** A node of `managedFields`: `f:` fields, `k:` items by key, `v:` members of a set. An empty node is a whole value. */
type Fields = JsonObject

/**
 * The paths of the fields of `desired` that an entry of `managedFields` does not hold. None means that no other client has changed a field.
 *
 * It needs no schema. The shape of the entry tells maps from lists by key and from sets, and an empty node is a value that is owned as a
 * whole. `live` is needed for empty lists only: an empty list of associative type leaves no trace in an entry, so it counts as covered
 * while the live object has nothing in its place.
 */
export function uncoveredFields(
  desired: JsonObject,
  fields: Fields | undefined,
  live: JsonObject,
): readonly JsonPath[] {
  const missing: JsonPath[] = []
  for (const [key, value] of Object.entries(desired)) {
    if (UNTRACKED.has(key)) continue
    walkField({ key, value, fields: fields ?? {}, live, path: [] }, missing)
  }
  return missing
}

/** The server strips these from every entry. */
const UNTRACKED = new Set(['apiVersion', 'kind'])
const UNTRACKED_METADATA = new Set(['name', 'namespace', 'uid'])

interface Step {
  readonly key: string
  readonly value: JsonValue | undefined
  readonly fields: Fields
  readonly live: JsonValue | undefined
  readonly path: JsonPath
}

function walkField({ key, value, fields, live, path }: Step, missing: JsonPath[]): void {
  if (value === undefined || (path.length === 1 && path[0] === 'metadata' && UNTRACKED_METADATA.has(key))) return
  const here = [...path, key]
  const liveValue = isJsonObject(live) ? live[key] : undefined
  const node = fields[`f:${key}`]
  if (isJsonObject(node)) {
    walkValue(value, node, { live: liveValue, path: here }, missing)
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [inner, child] of Object.entries(value)) {
      walkField({ key: inner, value: child, fields: {}, live: liveValue, path: here }, missing)
    }
  } else if (!(isEmptyList(value) && (liveValue === undefined || isEmptyList(liveValue)))) missing.push(here)
}

interface Place {
  readonly live: JsonValue | undefined
  readonly path: JsonPath
}

function walkValue(value: JsonValue, node: Fields, place: Place, missing: JsonPath[]): void {
  if (Object.keys(node).length === 0) return
  if (isJsonArray(value)) walkList(value, node, place, missing)
  if (!isJsonObject(value)) return
  for (const [key, child] of Object.entries(value)) walkField({ key, value: child, fields: node, ...place }, missing)
}

function walkList(items: JsonArray, node: Fields, place: Place, missing: JsonPath[]): void {
  const entries = keyedEntries(node)
  const taken = new Set<KeyedEntry>()
  for (const { item, index, candidates } of rarestFirst(items, entries)) {
    const path = [...place.path, index]
    if (!isJsonObject(item)) {
      if (!Object.hasOwn(node, `v:${JSON.stringify(item)}`)) missing.push(path)
      continue
    }
    const entry = candidates.find((candidate) => !taken.has(candidate))
    if (!entry) missing.push(path)
    else {
      taken.add(entry)
      walkValue(item, entry.node, { live: liveItem(place.live, entry), path }, missing)
    }
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
