import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { chosenShape, itemElement, possibleShapes } from '../../../core/schema/list-type.ts'
import { DEDUCED, type ListType, type MapType, type MergeType } from '../../../core/schema/merge-type.ts'
import type { PathElement } from '../../../core/schema/path-element.ts'
import { setField } from '../patch/set-field.ts'

/**
 * A live value with an applied one laid over it: nothing is removed, leaves come from the applied one, lists are ordered
 * like the applied one as far as it names their items. `undefined` where nothing remains.
 */
export function mergeValues(
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
  type: MergeType,
): JsonValue | undefined {
  if (applied === undefined) return live
  const shape = chosenShape(possibleShapes(type, applied))
  if (shape === 'map' && type.map !== undefined) return mergeMaps(live, applied, type.map)
  if (shape === 'list' && type.list !== undefined) return mergeLists(live, applied, type.list)
  return applied
}

function mergeMaps(live: JsonValue | undefined, applied: JsonValue, type: MapType): JsonValue | undefined {
  const ours: JsonObject = isJsonObject(live) ? live : {}
  const theirs: JsonObject = isJsonObject(applied) ? applied : {}
  if (type.atomic || (Object.keys(ours).length === 0 && Object.keys(theirs).length === 0)) return applied
  const merged: { [name: string]: JsonValue | undefined } = { ...ours }
  for (const name of Object.keys(theirs)) {
    const value = mergeValues(
      Object.hasOwn(ours, name) ? ours[name] : undefined,
      theirs[name],
      type.field(name) ?? DEDUCED,
    )
    if (value !== undefined) setField(merged, name, value)
  }
  return merged
}

function mergeLists(live: JsonValue | undefined, applied: JsonValue, type: ListType): JsonValue | undefined {
  const ours: JsonArray = isJsonArray(live) ? live : []
  const theirs: JsonArray = isJsonArray(applied) ? applied : []
  if (type.kind === 'atomic' || (ours.length === 0 && theirs.length === 0)) return applied
  return new ListMerge(ours, theirs, type).run()
}

/** The merge of two lists of items with identities, step by step as structured-merge-diff goes. */
class ListMerge {
  readonly #live: JsonArray
  readonly #type: ListType
  readonly #liveKeys: readonly PathElement[]
  readonly #appliedKeys: readonly PathElement[]
  /** An item that occurs twice counts as null: it is not merged with. */
  readonly #liveByKey: ReadonlyMap<PathElement, JsonValue>
  readonly #appliedByKey: ReadonlyMap<PathElement, JsonValue>
  /** Items that both lists have, in the order of the applied one. */
  readonly #shared: PathElement[]
  readonly #done = new Set<PathElement>()
  readonly #out: JsonValue[] = []

  constructor(live: JsonArray, applied: JsonArray, type: ListType) {
    this.#live = live
    this.#type = type
    this.#liveKeys = live.map((item) => itemElement(type, item))
    this.#appliedKeys = applied.map((item) => itemElement(type, item))
    this.#liveByKey = index(live, this.#liveKeys)
    this.#appliedByKey = index(applied, this.#appliedKeys)
    this.#shared = this.#appliedKeys.filter((key) => this.#liveByKey.has(key))
  }

  run(): readonly JsonValue[] {
    let [l, r] = [0, 0]
    while (l < this.#liveKeys.length || r < this.#appliedKeys.length) {
      const [liveKey, appliedKey] = [this.#liveKeys[l], this.#appliedKeys[r]]
      if (liveKey !== undefined && appliedKey !== undefined) {
        if (liveKey === appliedKey) {
          this.#emitApplied(appliedKey)
          this.#shared.shift()
          l++
          r++
          continue
        }
        if (this.#comesLater(liveKey)) {
          l++
          continue
        }
      }
      if (liveKey !== undefined) {
        if (!this.#appliedByKey.has(liveKey)) {
          this.#emit(this.#live[l], undefined)
          l++
          continue
        }
        if (this.#done.has(liveKey)) l++
      }
      if (appliedKey !== undefined) {
        this.#emitApplied(appliedKey)
        r++
        if (this.#shared[0] === appliedKey) this.#shared.shift()
      }
    }
    return this.#out
  }

  /** A shared item, but not the one whose turn it is. */
  #comesLater(key: PathElement): boolean {
    const next = this.#shared[0]
    return this.#appliedByKey.has(key) && next !== undefined && next !== key
  }

  #emitApplied(key: PathElement): void {
    this.#done.add(key)
    this.#emit(this.#liveByKey.get(key), this.#appliedByKey.get(key))
  }

  #emit(live: JsonValue | undefined, applied: JsonValue | undefined): void {
    const merged = mergeValues(live, applied, this.#type.element)
    if (merged !== undefined) this.#out.push(merged)
  }
}

function index(items: JsonArray, keys: readonly PathElement[]): Map<PathElement, JsonValue> {
  const byKey = new Map<PathElement, JsonValue>()
  for (const [position, key] of keys.entries()) byKey.set(key, byKey.has(key) ? null : (items[position] as JsonValue))
  return byKey
}
