import { isJsonObject, type JsonArray, type JsonValue } from '../../../core/base/json.ts'
import { plain } from '../apply/go-format.ts'
import { badArgumentType, internalError } from './patch-error.ts'

/** Identifies an item of a list: the value of a field of a map, or the scalar itself. */
function identityOf(item: JsonValue, mergeKey: string): JsonValue | undefined {
  if (mergeKey === '') return item
  return isJsonObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined
}

/** `identityOf`, for lists in which every item must have it. */
export function requiredIdentity(item: JsonValue, mergeKey: string): JsonValue {
  const identity = identityOf(item, mergeKey)
  if (identity !== undefined) return identity
  if (!isJsonObject(item)) throw badArgumentType('map[string]interface {}', item)
  throw internalError(`map: ${plain(item)} does not contain declared merge key: ${mergeKey}`)
}

export interface ElementOrders {
  /** The order that the patch asks for. */
  readonly wanted: JsonArray
  /** The order in the live object. */
  readonly live: JsonArray
  readonly mergeKey: string
}

/** Items of a merged list: those of the patch in the order it wants, the others where the live list has them. */
export function orderElements(merged: JsonArray, { wanted, live, mergeKey }: ElementOrders): JsonArray {
  const idOf = (item: JsonValue): JsonValue | undefined => identityOf(item, mergeKey)
  const wantedAt = positions(wanted.map(idOf))
  const liveAt = positions(live.map(idOf))
  const isWanted = (item: JsonValue): boolean => wantedAt.has(requiredIdentity(item, mergeKey))
  const ours = sortBy(merged.filter(isWanted), (item) => wantedAt.get(idOf(item)))
  const theirs = sortBy(
    merged.filter((item) => !isWanted(item)),
    (item) => liveAt.get(idOf(item)),
  )
  return interleave(theirs, ours, (item) => liveAt.get(idOf(item)))
}

function positions(identities: readonly (JsonValue | undefined)[]): Map<JsonValue | undefined, number> {
  const first = new Map<JsonValue | undefined, number>()
  for (const [index, identity] of identities.entries()) if (!first.has(identity)) first.set(identity, index)
  return first
}

/** Each item has a place in the patch or in the live list. */
function sortBy(items: JsonArray, place: (item: JsonValue) => number | undefined): JsonArray {
  const at = (item: JsonValue): number => place(item) as number
  return items.toSorted((left, right) => at(left) - at(right))
}

/** Puts each item of `left` before the first one of `right` that the live list has behind it. */
function interleave(left: JsonArray, right: JsonArray, place: (item: JsonValue) => number | undefined): JsonArray {
  const out: JsonValue[] = []
  let next = 0
  for (const item of right) {
    const limit = place(item)
    for (let other = left[next]; other !== undefined; other = left[next]) {
      const here = place(other)
      if (limit === undefined || here === undefined || here >= limit) break
      out.push(other)
      next++
    }
    out.push(item)
  }
  return [...out, ...left.slice(next)]
}

/** Refuses a list whose items stand in another order than `$setElementOrder` says, or are not named there. */
export function checkElementOrder(items: JsonArray, order: JsonArray, mergeKey: string): void {
  if (items.length === 0 || order.length === 0) return
  const wanted = order.map((item) => requiredIdentity(item, mergeKey))
  let position = 0
  for (const item of items) {
    if (isJsonObject(item) && Object.hasOwn(item, '$patch')) continue
    const found = wanted.indexOf(requiredIdentity(item, mergeKey), position)
    if (found === -1) {
      throw internalError(
        `The order in patch list:\n${plain(items)}\n doesn't match $setElementOrder list:\n${plain(order)}\n`,
      )
    }
    position = found + 1
  }
}

/**
 * The live order as the real server sees it after a merge: it merges in place, so that new items stand where deleted ones
 * have left room at the end of the list, and count as having been there.
 */
export function orderAfterMerge(live: JsonArray, items: JsonArray, mergeKey: string): JsonArray {
  const replaces = items.some((item) => isJsonObject(item) && item.$patch === 'replace')
  if (mergeKey === '' || replaces) return live
  const slots = [...live]
  let length = slots.length
  const find = (id: JsonValue | undefined): number =>
    slots.slice(0, length).findIndex((item) => identityOf(item, mergeKey) === id)
  for (const item of items) {
    if (!isJsonObject(item) || item.$patch !== 'delete') continue
    for (let index = find(item[mergeKey]); index !== -1; index = find(item[mergeKey])) {
      slots.copyWithin(index, index + 1, length)
      length--
    }
  }
  for (const item of items) {
    const isNew = isJsonObject(item) && item.$patch === undefined && find(item[mergeKey]) === -1
    if (isNew && length < live.length) slots[length++] = item
  }
  return slots
}
