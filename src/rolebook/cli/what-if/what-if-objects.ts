import { randomHex } from '../../../core/base/hash.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { formatGvk, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import {
  formatKey,
  type KubeObject,
  keyOf,
  type ManagedFieldsEntry,
  type ObjectKey,
} from '../../../core/kube/object.ts'

/** An object that the operator would have written. */
export interface WhatIf {
  /** As the server has it. Absent: it has none. */
  readonly base: KubeObject | undefined
  /** As it would be. Absent: it would be gone. */
  readonly now: KubeObject | undefined
  /** The first writer of it. Absent: it was not written. */
  readonly by?: string | undefined
}

interface Entry extends WhatIf {
  /** What the server answered to each writer, as if that one had been alone. */
  readonly layers: ReadonlyMap<string, KubeObject>
}

const NOTHING: Entry = { base: undefined, now: undefined, layers: new Map() }

/** Versions that no server has given. */
const VERSION_PREFIX = 'what-if-'

/** Objects as they would be after writes that never happened, beside those that the server has. */
export class WhatIfObjects {
  readonly #entries = new Map<string, Entry>()
  /** Who writes at present. */
  writer: string | undefined
  #version = 0

  /** How often anything was written. */
  get version(): number {
    return this.#version
  }

  find(gvk: Gvk, key: ObjectKey): WhatIf | undefined {
    return this.#entries.get(idOf(gvk, key))
  }

  *all(): Iterable<WhatIf> {
    yield* this.#entries.values()
  }

  /** What the server has; the first look counts. */
  know(gvk: Gvk, key: ObjectKey, base: KubeObject | undefined): WhatIf {
    const id = idOf(gvk, key)
    const entry = this.#entries.get(id) ?? { ...NOTHING, base, now: base }
    this.#entries.set(id, entry)
    return entry
  }

  /** The server's answer to a write of an object that it has; `writer` stands for who sent it. */
  layer(writer: string, answer: KubeObject): KubeObject {
    const id = idOf(gvkOf(answer), keyOf(answer))
    const { base = answer, layers: former } = this.#entryOf(id)
    const layers = new Map(former).set(writer, answer)
    const now = [...layers.values()].reduce((seen, one) => withChanges(seen, base, one), base)
    return this.#put(id, { base, now, layers })
  }

  /** An object that only would be there. */
  make(object: KubeObject): KubeObject {
    const id = idOf(gvkOf(object), keyOf(object))
    const { base, now: known } = this.#entryOf(id)
    const uid = known?.metadata.uid ?? object.metadata.uid ?? `what-if-${randomHex(8)}`
    const now = { ...object, metadata: { ...object.metadata, uid } }
    return this.#put(id, { ...NOTHING, base, now })
  }

  remove(gvk: Gvk, key: ObjectKey): void {
    const id = idOf(gvk, key)
    const { base, by = this.writer } = this.#entryOf(id)
    this.#entries.set(id, { base, now: undefined, by, layers: new Map() })
    this.#version++
  }

  /** An object as the server knows it: with the version that it has given. */
  toServer(object: KubeObject): KubeObject {
    const { resourceVersion, ...metadata } = object.metadata
    if (!resourceVersion?.startsWith(VERSION_PREFIX)) return object
    const version = this.find(gvkOf(object), keyOf(object))?.base?.metadata.resourceVersion
    return { ...object, metadata: { ...metadata, ...(version && { resourceVersion: version }) } }
  }

  /** The entry exists, because every write is preceded by a read. */
  #entryOf(id: string): Entry {
    return this.#entries.get(id) as Entry
  }

  #put(id: string, entry: Entry & { readonly now: KubeObject }): KubeObject {
    const { now: former, by = this.writer } = this.#entryOf(id)
    const resourceVersion = former?.metadata.resourceVersion ?? `${VERSION_PREFIX}0`
    const same = { ...entry.now, metadata: { ...entry.now.metadata, resourceVersion } }
    if (former && jsonEquals(former as JsonValue, same as JsonValue)) return former
    const version = `${VERSION_PREFIX}${++this.#version}`
    const now = { ...entry.now, metadata: { ...entry.now.metadata, resourceVersion: version } }
    this.#entries.set(id, { ...entry, now, by })
    return now
  }
}

function idOf(gvk: Gvk, key: ObjectKey): string {
  return `${formatGvk(gvk)} ${formatKey(key)}`
}

/** An object with what `answer` has made of `base`. */
function withChanges(seen: KubeObject, base: KubeObject, answer: KubeObject): KubeObject {
  const merged = merge(seen as JsonObject, base as JsonObject, answer as JsonObject) as KubeObject
  const entries = entriesOf(seen, base, answer)
  return { ...merged, metadata: { ...merged.metadata, managedFields: entries } }
}

function merge(seen: JsonObject, base: JsonObject, answer: JsonObject): JsonObject {
  const merged: { [key: string]: JsonValue | undefined } = { ...seen }
  for (const key of new Set([...Object.keys(base), ...Object.keys(answer)])) {
    const [ours, former, theirs] = [seen[key], base[key], answer[key]]
    if (jsonEquals(former, theirs)) continue
    const areMaps = isJsonObject(ours) && isJsonObject(former) && isJsonObject(theirs)
    if (theirs === undefined) delete merged[key]
    else merged[key] = areMaps ? merge(ours, former, theirs) : theirs
  }
  return merged
}

/** Entries of `answer` count where both have one, and what it lacks of `base` has gone. */
function entriesOf(seen: KubeObject, base: KubeObject, answer: KubeObject): readonly ManagedFieldsEntry[] {
  const name = ({ manager, operation, subresource }: ManagedFieldsEntry): string =>
    JSON.stringify([manager, operation, subresource])
  const named = ({ metadata }: KubeObject): ReadonlyMap<string, ManagedFieldsEntry> =>
    new Map(metadata.managedFields?.map((entry) => [name(entry), entry]))
  const [former, left] = [named(base), named(answer)]
  const kept = [...named(seen)].filter(([id]) => left.has(id) || !former.has(id))
  return [...new Map([...kept, ...left]).values()]
}
