import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from './json.ts'
import { walkDown } from './nested-too-deeply.ts'

/** A place in which two values differ. */
export interface JsonChange {
  /** As people read it: `spec.containers[name=app].image`. */
  readonly field: string
  /** In the new value; of what is gone, in the old one. */
  readonly path: JsonPath
  /** Absent: nothing was there. */
  readonly from?: JsonValue | undefined
  /** Absent: nothing is there any more. */
  readonly to?: JsonValue | undefined
}

/**
 * Where two values differ, in the order of their keys, at most `limit` places. What is new or gone as a whole is one place.
 * Items of lists are matched by their `name`, `type` or `key` where each has one of its own, else by their places.
 */
export function jsonChanges(
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  limit = Number.POSITIVE_INFINITY,
): readonly JsonChange[] {
  const changes: JsonChange[] = []
  walkDown(() => collect({ from, to, field: '', path: [] }, changes, limit))
  return changes
}

interface Place {
  readonly from: JsonValue | undefined
  readonly to: JsonValue | undefined
  readonly field: string
  readonly path: JsonPath
}

function collect(place: Place, changes: JsonChange[], limit: number): void {
  const { from, to, field, path } = place
  if (changes.length >= limit || jsonEquals(from, to)) return
  if (isJsonObject(from) && isJsonObject(to)) {
    for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
      const inner = { from: from[key], to: to[key], field: fieldIn(field, key), path: [...path, key] }
      collect(inner, changes, limit)
    }
  } else if (isJsonArray(from) && isJsonArray(to)) {
    for (const item of pairs(from, to)) collect(itemPlace(place, item), changes, limit)
  } else changes.push({ field, path, from, to })
}

function fieldIn(field: string, key: string): string {
  const printed = printPath([key])
  return field === '' || printed.startsWith('[') ? field + printed : `${field}.${printed}`
}

interface Pair {
  readonly from: JsonValue | undefined
  readonly to: JsonValue | undefined
  readonly index: number
  readonly label: string
}

function itemPlace({ field, path }: Place, { from, to, index, label }: Pair): Place {
  return { from, to, field: `${field}[${label}]`, path: [...path, index] }
}

/** What items of lists may be matched by. */
export const ITEM_NAMES = ['name', 'type', 'key'] as const

function pairs(from: JsonArray, to: JsonArray): readonly Pair[] {
  const key = ITEM_NAMES.find((name) => areNamedBy(from, name) && areNamedBy(to, name))
  if (key === undefined) {
    const length = Math.max(from.length, to.length)
    return Array.from({ length }, (_, index) => ({ from: from[index], to: to[index], index, label: String(index) }))
  }
  const [before, after] = [placesByName(from, key), placesByName(to, key)]
  return [...new Set([...after.keys(), ...before.keys()])].map((name) => {
    const [old, now] = [before.get(name) ?? from.length, after.get(name) ?? to.length]
    return { from: from[old], to: to[now], index: after.has(name) ? now : old, label: `${key}=${name}` }
  })
}

function placesByName(items: JsonArray, key: string): ReadonlyMap<string | undefined, number> {
  return new Map(items.map((item, index) => [nameOf(item, key), index]))
}

function areNamedBy(items: JsonArray, key: string): boolean {
  const names = items.map((item) => nameOf(item, key))
  return names.every((name) => name !== undefined) && new Set(names).size === names.length
}

function nameOf(item: JsonValue, key: string): string | undefined {
  const name = isJsonObject(item) ? item[key] : undefined
  return typeof name === 'string' ? name : undefined
}
