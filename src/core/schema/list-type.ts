import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { ListType, MergeType } from './merge-type.ts'
import { keyElement, type PathElement, valueElement } from './path-element.ts'

/**
 * Which item of a `set` or `map` list this is.
 *
 * @throws Error worded as the server does, when the type is ambiguous
 */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  if (list.kind === 'map') return keyedElement(list, item)
  if (isJsonObject(item)) throw new Error("associative list without keys has an element that's a map type")
  if (isJsonArray(item)) throw new Error('not supported: associative list with lists as elements')
  if (item === null) throw new Error("associative list without keys has an element that's an explicit null")
  return valueElement(item)
}

/** What structured-merge-diff takes for the step to an item that has none. */
const NO_ELEMENT: PathElement = ''

/**
 * As `itemElement`, in a list that was valid before fields were taken out of its items: an item may have lost its keys.
 * The source of the rule: `toFieldSetWalker` and `removingWalker` of structured-merge-diff ignore the error.
 */
export function remainingItemElement(list: ListType, item: JsonValue): PathElement {
  try {
    return itemElement(list, item)
  } catch {
    return NO_ELEMENT
  }
}

function keyedElement(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw new Error('associative list with keys may not have a null element')
  if (!isJsonObject(item)) throw new Error('associative list with keys may not have non-map elements')
  const last = elements.get(item)
  if (last?.list === list) return last.element
  const element = elementOfKeys(list, item)
  elements.set(item, { list, element })
  return element
}

/** Objects of one kind share their items; mostly an item is in lists of one type only. */
const elements = new WeakMap<JsonObject, { readonly list: ListType; readonly element: PathElement }>()

function elementOfKeys(list: ListType, item: JsonObject): PathElement {
  const found: { [name: string]: JsonValue } = {}
  let isKnown = false
  for (const key of list.keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined
    const effective = value === undefined ? list.keyDefault(key) : value
    if (effective === undefined) continue
    found[key] = effective
    isKnown = true
  }
  if (isKnown) return keyElement(found)
  const keys = `[${list.keys.map((key) => JSON.stringify(key)).join(' ')}]`
  throw new Error(
    `associative list with keys has an element that omits all key fields ${keys} (and doesn't have default values for any key fields)`,
  )
}

export type Shape = 'map' | 'scalar' | 'list'

/** The shapes of a type that are still possible for a value: one when the value says which, else all that it allows. */
export interface Shapes {
  readonly map: boolean
  readonly scalar: boolean
  readonly list: boolean
}

const ONLY: { readonly [shape in Shape]: Shapes } = {
  map: { map: true, scalar: false, list: false },
  scalar: { map: false, scalar: true, list: false },
  list: { map: false, scalar: false, list: true },
}

/** As `deduceAtom` of structured-merge-diff: null and values that fit nowhere leave all shapes open. */
export function possibleShapes(type: MergeType, value: JsonValue | undefined): Shapes {
  const own = shapeOf(value)
  if (own !== undefined && type[own] !== undefined) return ONLY[own]
  return { map: type.map !== undefined, scalar: type.scalar !== undefined, list: type.list !== undefined }
}

function shapeOf(value: JsonValue | undefined): Shape | undefined {
  if (value === undefined || value === null) return undefined
  if (isJsonArray(value)) return 'list'
  return typeof value === 'object' ? 'map' : 'scalar'
}

export function sameShapes(left: Shapes, right: Shapes): boolean {
  return left.map === right.map && left.scalar === right.scalar && left.list === right.list
}

/** The shape to treat a value as; a map wins over a scalar, a scalar over a list. */
export function chosenShape(shapes: Shapes): Shape {
  if (shapes.map) return 'map'
  return shapes.scalar ? 'scalar' : 'list'
}
