import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { FieldSet } from '../../../core/schema/field-set.ts'
import { chosenShape, possibleShapes, remainingItemElement } from '../../../core/schema/list-type.ts'
import { DEDUCED, type ListType, type MapType, type MergeType } from '../../../core/schema/merge-type.ts'
import { fieldElement } from '../../../core/schema/path-element.ts'

/** `value` without the fields and items of a set. An object or list becomes null when nothing remains in it. */
export function removeItems(value: JsonValue, items: FieldSet, type: MergeType): JsonValue {
  const shape = chosenShape(possibleShapes(type, value))
  if (shape === 'map' && type.map !== undefined) return removeFields(value, items, type.map)
  if (shape === 'list' && type.list !== undefined) return removeListItems(value, items, type.list)
  return value
}

function removeFields(value: JsonValue, items: FieldSet, type: MapType): JsonValue {
  if (!isJsonObject(value) || type.atomic) return null
  const kept: [string, JsonValue][] = []
  for (const [name, inner] of Object.entries(value)) {
    const element = fieldElement(name)
    if (inner === undefined || items.isMember(element)) continue
    const beneath = items.child(element)
    kept.push([name, beneath === undefined ? inner : removeItems(inner, beneath, type.field(name) ?? DEDUCED)])
  }
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function removeListItems(value: JsonValue, items: FieldSet, type: ListType): JsonValue {
  if (!isJsonArray(value) || type.kind === 'atomic') return null
  const kept: JsonValue[] = []
  for (const item of value) {
    const element = remainingItemElement(type, item)
    if (items.isMember(element)) continue
    const beneath = items.child(element)
    kept.push(beneath === undefined ? item : removeItems(item, beneath, type.element))
  }
  return kept.length === 0 ? null : kept
}
