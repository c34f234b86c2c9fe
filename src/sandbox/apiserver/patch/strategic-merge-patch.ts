import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { goTypeOf, plain } from '../apply/go-format.ts'
import { checkElementOrder, orderAfterMerge, orderElements, requiredIdentity } from './element-order.ts'
import {
  asNewValue,
  directiveResult,
  markerOf,
  retainFields,
  splitPatch,
  unknownDirective,
  withoutDirectives,
} from './patch-directives.ts'
import { badArgumentType, badRequest, internalError, jsonKindOf, unprocessable } from './patch-error.ts'
import { setField } from './set-field.ts'

type Mutable = { [name: string]: JsonValue | undefined }

/** Strategic merge patch, for built-in kinds. @throws PatchError */
export function applyStrategicMergePatch(live: JsonObject, patch: JsonValue, schema: Schema): JsonObject {
  if (patch === null) return live
  if (isJsonObject(patch)) return mergeMaps(live, patch, schema)
  throw badRequest(`json: cannot unmarshal ${jsonKindOf(patch)} into Go value of type map[string]interface {}`)
}

function mergeMaps(live: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  const result = directiveResult(patch)
  if (result !== undefined) return result
  const parts = splitPatch(patch)
  const merged: Mutable = { ...retainFields(live, parts) }
  for (const [name, order] of parts.orders) mergeOrdered(merged, { name, order, patch: parts.fields[name], schema })
  for (const [name, items] of parts.deletions) deleteItems(merged, { name, items, schema })
  for (const [name, value] of Object.entries(parts.fields)) {
    if (value !== undefined && !parts.orders.has(name)) mergeField(merged, name, value, schema)
  }
  return merged
}

function mergeField(merged: Mutable, name: string, patch: JsonValue, schema: Schema): void {
  const live = Object.hasOwn(merged, name) ? merged[name] : undefined
  const value = patch === null ? undefined : mergeValue(live, patch, () => lookUp(schema, name))
  if (value === undefined) delete merged[name]
  else setField(merged, name, value)
}

function mergeValue(live: JsonValue | undefined, patch: JsonValue, field: () => PatchField): JsonValue | undefined {
  if (isJsonObject(live) && isJsonObject(patch)) {
    const { strategy, schema } = field()
    return strategy === 'replace' ? patch : mergeMaps(live, patch, schema)
  }
  if (isJsonArray(live) && isJsonArray(patch)) {
    const found = field()
    return found.strategy === 'merge' ? mergeLists(live, patch, found) : patch
  }
  return asNewValue(patch)
}

/** What a schema says about patching one field. */
interface PatchField {
  readonly schema: Schema
  /** `merge`, `replace` or empty. */
  readonly strategy: string
  /** Empty for lists of scalars. */
  readonly mergeKey: string
}

function lookUp(parent: Schema, name: string): PatchField {
  const { properties, definition = '' } = parent
  if (properties === undefined) {
    throw internalError('merging an object in json but data type is not struct, instead is: map')
  }
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (schema === undefined) {
    const struct = definition.slice(definition.lastIndexOf('.') + 1)
    throw internalError(`unable to find api field in struct ${struct} for the json field ${JSON.stringify(name)}`)
  }
  const strategies = schema['x-kubernetes-patch-strategy']?.split(',') ?? []
  const strategy = strategies.find((one) => one !== 'retainKeys') ?? ''
  return { schema, strategy, mergeKey: schema['x-kubernetes-patch-merge-key'] ?? '' }
}

interface OrderedPatch {
  readonly name: string
  /** `$setElementOrder/<name>`. */
  readonly order: JsonValue
  readonly patch: JsonValue | undefined
  readonly schema: Schema
}

function mergeOrdered(merged: Mutable, { name, order, patch, schema }: OrderedPatch): void {
  const wanted = listOrFail(order)
  const live = Object.hasOwn(merged, name) ? listOrFail(merged[name] as JsonValue) : undefined
  const items = patch === undefined ? undefined : listOrFail(patch)
  const field = lookUp(schema, name)
  if (items !== undefined) checkElementOrder(items, wanted, field.mergeKey)
  if (field.mergeKey !== '') for (const item of wanted) requiredIdentity(item, field.mergeKey)
  if (live === undefined && items === undefined) return
  const result = mergeWithOrder(live, items, field)
  elementKind(live ?? [], items ?? [])
  const places = field.strategy === 'merge' ? orderAfterMerge(live ?? [], items ?? [], field.mergeKey) : (live ?? [])
  setField(merged, name, orderElements(result, { wanted, live: places, mergeKey: field.mergeKey }))
}

function mergeWithOrder(live: JsonArray | undefined, items: JsonArray | undefined, field: PatchField): JsonArray {
  if (items === undefined) return live as JsonArray
  if (live === undefined) return withoutDirectives(items) as JsonArray
  return field.strategy === 'merge' ? mergeLists(live, items, field) : items
}

function listOrFail(value: JsonValue): JsonArray {
  if (isJsonArray(value)) return value
  throw badArgumentType('[]interface {}', value)
}

function deleteItems(
  merged: Mutable,
  { name, items, schema }: { readonly name: string; readonly items: JsonValue; readonly schema: Schema },
): void {
  const live = Object.hasOwn(merged, name) ? merged[name] : undefined
  if (items === null) delete merged[name]
  if (!isJsonArray(live) || !isJsonArray(items)) return
  if (elementKind(live, items) === 'map') {
    // Nothing says so, but items with fields are merged like any others.
    merged[name] = mergeLists(live, items, lookUp(schema, name))
    return
  }
  const gone = new Set(items)
  merged[name] = live.filter((item) => !gone.has(item))
}

function mergeLists(live: JsonArray, patch: JsonArray, { schema, mergeKey }: PatchField): JsonArray {
  if (live.length === 0 && patch.length === 0) return live
  if (elementKind(live, patch) !== 'map') {
    return orderElements([...new Set([...live, ...patch])], { wanted: patch, live, mergeKey: '' })
  }
  const { kept, items } = applyItemDirectives(live, patch, mergeKey)
  const merged = mergeItems(kept, items, { mergeKey, schema: schema.items as Schema })
  return orderElements(merged, { wanted: items, live: kept, mergeKey })
}

/** Live items that stay after `$patch: delete` and `$patch: replace`, and the items to merge into them. */
function applyItemDirectives(
  live: JsonArray,
  patch: JsonArray,
  mergeKey: string,
): { kept: JsonArray; items: JsonArray } {
  const items = patch.filter((item) => markerOf(item) === undefined)
  let kept = live
  for (const item of patch) {
    const marker = markerOf(item)
    if (marker === 'delete') {
      const gone = requiredIdentity(item, mergeKey)
      kept = kept.filter((other) => !isJsonObject(other) || other[mergeKey] !== gone)
    } else if (marker === 'merge') throw internalError('merging lists cannot yet be specified in the patch')
    else if (marker !== undefined && marker !== 'replace') {
      throw unknownDirective(marker, item)
    }
  }
  return patch.some((item) => markerOf(item) === 'replace') ? { kept: items, items: [] } : { kept, items }
}

function mergeItems(live: JsonArray, items: JsonArray, list: { mergeKey: string; schema: Schema }): JsonArray {
  const merged = [...live]
  for (const item of items) {
    const identity = requiredIdentity(item, list.mergeKey)
    const index = merged.findIndex((other) => isJsonObject(other) && other[list.mergeKey] === identity)
    const other = merged[index]
    if (isJsonObject(other) && isJsonObject(item)) merged[index] = mergeMaps(other, item, list.schema)
    else merged.push(item)
  }
  return merged
}

/** The one kind that all items of some lists have. */
function elementKind(...lists: readonly JsonArray[]): 'map' | 'scalar' {
  const kinds = new Set(lists.flat().map(goTypeOf))
  const [kind] = kinds
  if (kind === undefined) throw internalError('no elements in any of the given slices')
  if (kinds.size > 1) throw internalError(`list element types are not identical: ${plain(lists)}`)
  if (lists.flat().some(isJsonArray)) throw unprocessable('lists of lists are not supported')
  return kind.startsWith('map') ? 'map' : 'scalar'
}
