import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { goTypeOf, plain } from '../apply/go-format.ts'
import { badRequest, internalError } from './patch-error.ts'

const MARKER = '$patch'
const RETAIN_KEYS = '$retainKeys'
const DELETE_FROM = '$deleteFromPrimitiveList'
const ORDER = '$setElementOrder'

/** `$patch` of a map: `undefined` when it has none. */
export function markerOf(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, MARKER) ? value[MARKER] : undefined
}

function withoutMarker(patch: JsonObject): JsonObject {
  const { [MARKER]: _marker, ...rest } = patch
  return rest
}

/** The patch that a map with `$patch` stands for; `undefined` when it has no such directive. */
export function directiveResult(patch: JsonObject): JsonObject | undefined {
  const marker = markerOf(patch)
  if (marker === undefined) return undefined
  if (marker === 'replace') return withoutMarker(patch)
  if (marker === 'delete') return {}
  throw unknownDirective(marker, patch)
}

export function unknownDirective(marker: JsonValue, patch: JsonValue): Error {
  const name = typeof marker === 'string' ? marker : `%!s(${goTypeOf(marker)}=${plain(marker)})`
  return internalError(`unknown patch type: ${name} in map: ${plain(patch)}`)
}

/** Keys of a patch by what they say: fields, orders of lists, items to delete from lists. */
export interface PatchParts {
  readonly fields: JsonObject
  readonly orders: ReadonlyMap<string, JsonValue>
  readonly deletions: ReadonlyMap<string, JsonValue>
  readonly retained: JsonValue | undefined
}

export function splitPatch(patch: JsonObject): PatchParts {
  const fields: [string, JsonValue][] = []
  const orders = new Map<string, JsonValue>()
  const deletions = new Map<string, JsonValue>()
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || key === RETAIN_KEYS) continue
    if (key.startsWith(ORDER)) orders.set(fieldOf(key, ORDER), value)
    else if (key.startsWith(DELETE_FROM)) deletions.set(fieldOf(key, DELETE_FROM), value)
    else fields.push([key, value])
  }
  return { fields: Object.fromEntries(fields), orders, deletions, retained: patch[RETAIN_KEYS] }
}

function fieldOf(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1)
  throw badRequest(`invalid patch format of ${prefix === ORDER ? 'setElementOrder list' : 'primitive list'}`)
}

/** The live map without the fields that `$retainKeys` does not name. */
export function retainFields(live: JsonObject, { fields, retained }: PatchParts): JsonObject {
  if (retained === undefined) return live
  if (!isJsonArray(retained)) throw badRequest('invalid patch format of retainKeys')
  const names = new Set(retained)
  const forgotten = Object.entries(fields).some(([name, value]) => value !== null && !names.has(name))
  if (forgotten) throw badRequest('invalid patch format of retainKeys')
  return Object.fromEntries(Object.entries(live).filter(([name]) => names.has(name)))
}

/** A value that is new to the object: maps with a directive go, and so do nulls of maps. `undefined` when all of it goes. */
export function asNewValue(value: JsonValue): JsonValue | undefined {
  return strip(value, (inner) => inner === null)
}

/** Without maps that carry a directive, at any depth. `undefined` when all of it goes. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  return strip(value, () => false)
}

function strip(value: JsonValue, drops: (field: JsonValue) => boolean): JsonValue | undefined {
  if (markerOf(value) !== undefined) return undefined
  if (isJsonArray(value)) return value.map((item) => strip(item, drops)).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  const kept: [string, JsonValue][] = []
  for (const [name, inner] of Object.entries(value)) {
    const fresh = inner === undefined || drops(inner) ? undefined : strip(inner, drops)
    if (fresh !== undefined) kept.push([name, fresh])
  }
  return Object.fromEntries(kept)
}
