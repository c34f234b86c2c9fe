import { walkDown } from './nested-too-deeply.ts'

/** Plain JSON data. A key whose value is `undefined` counts as absent, as in `JSON.stringify`. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject
export type JsonArray = readonly JsonValue[]
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** The way from the root of a value to a place in it: `['spec', 'ports', 0]`. */
export type JsonPath = readonly (string | number)[]

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `Array.isArray` that narrows a `JsonValue` to a readonly array. */
export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value)
}

/** Equal as JSON: key order does not matter, `undefined` equals absent. @throws NestedTooDeeply */
export function jsonEquals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || walkDown(() => valuesEqual(left, right))
}

function valuesEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true
  if (isJsonArray(left)) return isJsonArray(right) && arraysEqual(left, right)
  return isJsonObject(left) && isJsonObject(right) && objectsEqual(left, right)
}

function arraysEqual(left: JsonArray, right: JsonArray): boolean {
  return left.length === right.length && left.every((item, index) => valuesEqual(item, right[index]))
}

function objectsEqual(left: JsonObject, right: JsonObject): boolean {
  for (const key of Object.keys(left)) {
    if (left[key] !== undefined && !(Object.hasOwn(right, key) && valuesEqual(left[key], right[key]))) return false
  }
  return Object.keys(right).every(
    (key) => right[key] === undefined || (Object.hasOwn(left, key) && left[key] !== undefined),
  )
}

/** Freezes a value and everything in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const child of Object.values(next)) if (typeof child === 'object') waiting.push(child)
  }
  return value
}

/** The value at a path, or `undefined` where a step is missing. Own keys only: `__proto__` finds nothing. */
export function getPath(value: JsonValue | undefined, path: JsonPath): JsonValue | undefined {
  let here: JsonValue | undefined = value
  for (const step of path) {
    if (isJsonArray(here) && typeof step === 'number') here = here[step]
    else if (isJsonObject(here) && Object.hasOwn(here, step)) here = here[String(step)]
    else return undefined
  }
  return here
}

/** Text of a value with sorted keys at every level: equal values have equal texts. @throws NestedTooDeeply */
export function canonicalJson(value: JsonValue | undefined): string {
  return walkDown(() => JSON.stringify(inOrder(value))) ?? 'null'
}

/** The value with sorted keys, or the same one where they are sorted already, as in most objects. */
function inOrder(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonArray(value)) return arrayInOrder(value)
  const keys = Object.keys(value)
  let copy: { [key: string]: JsonValue | undefined } | undefined = areSorted(keys) ? undefined : {}
  if (copy) keys.sort()
  for (const key of keys) {
    const inner = inOrder(value[key])
    if (copy === undefined && inner !== value[key]) copy = { ...value }
    if (copy) setOwn(copy, key, inner)
  }
  return copy ?? value
}

function arrayInOrder(array: JsonArray): JsonArray {
  let copy: JsonValue[] | undefined
  for (const [index, item] of array.entries()) {
    const inner = inOrder(item) as JsonValue
    if (inner === item) continue
    copy ??= [...array]
    copy[index] = inner
  }
  return copy ?? array
}

function areSorted(keys: readonly string[]): boolean {
  let former = ''
  for (const key of keys) {
    if (key < former) return false
    former = key
  }
  return true
}

function setOwn(object: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** `spec.ports[0]['a.b']`: a path as people read it. */
export function printPath(path: JsonPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `['${step}']`
  }
  return text
}
