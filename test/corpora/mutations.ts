import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  printPath,
} from '../../src/core/base/json.ts'
import type { Dice } from '../support/dice.ts'

export interface Mutation {
  /** What is done to which field. */
  readonly name: string
  readonly object: JsonObject
}

type Change = (value: JsonValue | undefined) => JsonValue | undefined

/** What people do to a field by mistake. */
const CHANGES: Readonly<Record<string, Change>> = {
  absent: () => undefined,
  null: () => null,
  empty: (value) => (isJsonArray(value) ? [] : isJsonObject(value) ? {} : ''),
  number: () => 7,
  negative: () => -1,
  large: () => 9_999_999_999,
  text: () => 'Bad_Name',
  path: () => 'a/b',
  long: () => 'x'.repeat(300),
  true: () => true,
  list: (value) => [value ?? null],
  map: () => ({ noSuchField: 1 }),
  twice: (value) => (isJsonArray(value) ? [...value, ...value] : value),
  more: (value) => (isJsonObject(value) ? { ...value, noSuchField: 1 } : value),
}

const CHANGE_NAMES = Object.keys(CHANGES)
/** What names the object says where the request goes. */
const FIXED = new Set([
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata',
  'metadata.generateName',
])

/** A document with one field that is wrong, or another than it was. */
export function mutate(object: JsonObject, dice: Dice): Mutation {
  const path = dice.pick(fieldsOf(object))
  const change = dice.pick(CHANGE_NAMES)
  return {
    name: `${printPath(path)} ${change}`,
    object: changed(object, path, CHANGES[change] as Change) as JsonObject,
  }
}

/** A merge patch of one field. */
export function mutatingPatch(object: JsonObject, dice: Dice): Mutation {
  const path = upToList(dice.pick(fieldsOf(object)))
  const change = dice.pick(CHANGE_NAMES.filter((name) => name !== 'absent'))
  const value = (CHANGES[change] as Change)(valueAt(object, path)) ?? null
  const patch = path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value)
  return { name: `${printPath(path)} ${change}`, object: patch as JsonObject }
}

/** Where a document says nothing but its name, its labels count. */
function fieldsOf(object: JsonObject): readonly JsonPath[] {
  const paths = pathsOf(object).filter((each) => !FIXED.has(printPath(each)))
  return paths.length === 0 ? [['metadata', 'labels']] : paths
}

function pathsOf(value: JsonValue | undefined, path: JsonPath = []): readonly JsonPath[] {
  const inner: readonly (readonly [string | number, JsonValue | undefined])[] = isJsonArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  return inner.flatMap(([key, field]) => {
    const here = [...path, key]
    return [here, ...pathsOf(field, here)]
  })
}

/** A merge patch knows no items. */
function upToList(path: JsonPath): JsonPath {
  const item = path.findIndex((key) => typeof key === 'number')
  return item === -1 ? path : path.slice(0, item)
}

function valueAt(value: JsonValue | undefined, [key, ...rest]: JsonPath): JsonValue | undefined {
  if (key === undefined) return value
  return valueAt((value as Record<string | number, JsonValue> | undefined)?.[key], rest)
}

function changed(value: JsonValue | undefined, [key, ...rest]: JsonPath, change: Change): JsonValue | undefined {
  if (key === undefined) return change(value)
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => {
      const made = index === key ? changed(item, rest, change) : item
      return made === undefined ? [] : [made]
    })
  }
  return isJsonObject(value) ? { ...value, [key]: changed(value[key], rest, change) } : value
}
