import { type JsonArray, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { fieldsOf, itemsOf } from '../../../core/schema/changes.ts'
import { type FieldSet, FieldSetBuilder } from '../../../core/schema/field-set.ts'
import { chosenShape, itemElement, possibleShapes, type Shapes, sameShapes } from '../../../core/schema/list-type.ts'
import { DEDUCED, type ListType, type MapType, type MergeType } from '../../../core/schema/merge-type.ts'
import { fieldElement, type PathElement } from '../../../core/schema/path-element.ts'

/** What a write did to the fields of an object. No field is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet
  readonly modified: FieldSet
  readonly added: FieldSet
}

/** Compares two values of a type. Items of lists are identified by their keys, so that their order does not matter. */
export function compareValues(left: JsonValue, right: JsonValue, type: MergeType): Comparison {
  const walk = new Walk()
  walk.compare(left, right, type)
  return { removed: walk.removed.build(), modified: walk.modified.build(), added: walk.added.build() }
}

/** Leaves out fields and what lies beneath them. */
export function excludeFields(comparison: Comparison, fields: FieldSet | undefined): Comparison {
  if (fields === undefined || fields.isEmpty()) return comparison
  return {
    removed: comparison.removed.recursiveDifference(fields),
    modified: comparison.modified.recursiveDifference(fields),
    added: comparison.added.recursiveDifference(fields),
  }
}

/** `undefined` on one side means that this side has nothing there; null is a value. */
type Side = JsonValue | undefined

class Walk {
  readonly removed = new FieldSetBuilder()
  readonly modified = new FieldSetBuilder()
  readonly added = new FieldSetBuilder()
  readonly #path: PathElement[] = []

  compare(left: Side, right: Side, type: MergeType): void {
    if (left === right) return
    const ours = possibleShapes(type, left)
    const theirs = possibleShapes(type, right)
    if (left !== undefined && right !== undefined && !sameShapes(ours, theirs)) this.#compareAs(ours, left, right, type)
    const shapes = right === undefined ? ours : theirs
    if (this.#compareAs(shapes, left, right, type) === 'leaf') return
    if (left === undefined) this.added.insert(this.#path)
    else if (right === undefined) this.removed.insert(this.#path)
  }

  #compareAs(shapes: Shapes, left: Side, right: Side, type: MergeType): 'leaf' | 'parent' {
    const shape = chosenShape(shapes)
    if (shape === 'map' && type.map !== undefined && !type.map.atomic) return this.#compareMaps(left, right, type.map)
    if (shape === 'list' && type.list !== undefined && type.list.kind !== 'atomic') {
      return this.#compareLists(left, right, type.list)
    }
    return this.#leaf(left, right)
  }

  #leaf(left: Side, right: Side): 'leaf' {
    if (left === undefined) this.added.insert(this.#path)
    else if (right === undefined) this.removed.insert(this.#path)
    else if (!jsonEquals(left, right)) this.modified.insert(this.#path)
    return 'leaf'
  }

  #compareMaps(left: Side, right: Side, type: MapType): 'leaf' | 'parent' {
    const [ours, theirs] = [fieldsOf(left), fieldsOf(right)]
    if (isEmpty(ours) && isEmpty(theirs)) return this.#leaf(left, right)
    for (const name of Object.keys(ours)) {
      const [our, their] = [ours[name], own(theirs, name)]
      if (our !== their) this.#descend(fieldElement(name), our, their, type.field(name))
    }
    for (const name of Object.keys(theirs)) {
      if (own(ours, name) === undefined) this.#descend(fieldElement(name), undefined, theirs[name], type.field(name))
    }
    return 'parent'
  }

  #compareLists(left: Side, right: Side, type: ListType): 'leaf' | 'parent' {
    const [ours, theirs] = [itemsOf(left), itemsOf(right)]
    if (ours.length === 0 && theirs.length === 0) return this.#leaf(left, right)
    for (const [element, { lefts, rights }] of pairUp(ours, theirs, type)) {
      this.#compareItems(element, lefts, rights, type.element)
    }
    return 'parent'
  }

  /** Items that occur more than once are compared as a whole. */
  #compareItems(element: PathElement, lefts: JsonArray, rights: JsonArray, type: MergeType): void {
    const path = [...this.#path, element]
    if (lefts.length <= 1 && rights.length <= 1) this.#descend(element, lefts[0], rights[0], type)
    else if (lefts.length > 1 && rights.length > 1) {
      if (!jsonEquals(lefts, rights)) this.modified.insert(path)
    } else if (lefts.length > 1) {
      this.#descend(element, undefined, rights[0], type)
      this.removed.insert(path)
    } else {
      this.#descend(element, lefts[0], undefined, type)
      this.added.insert(path)
    }
  }

  #descend(element: PathElement, left: Side, right: Side, type: MergeType | undefined): void {
    if (left === undefined && right === undefined) return
    this.#path.push(element)
    this.compare(left, right, type ?? DEDUCED)
    this.#path.pop()
  }
}

function own(object: JsonObject, name: string): Side {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0
}

interface Items {
  readonly lefts: JsonValue[]
  readonly rights: JsonValue[]
}

/**
 * The items of two lists by their keys. Items that are at the same place in both lists are left out, unless another item has
 * the same keys.
 */
function pairUp(ours: JsonArray, theirs: JsonArray, type: ListType): ReadonlyMap<PathElement, Items> {
  const left = ours.map((item) => itemElement(type, item))
  const right = theirs.map((item, index) => (item === ours[index] ? left[index] : undefined) ?? itemElement(type, item))
  const pairs = new Map<PathElement, Items>()
  const touch = (element: PathElement | undefined): void => {
    if (element !== undefined && !pairs.has(element)) pairs.set(element, { lefts: [], rights: [] })
  }
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    if (ours[index] === theirs[index]) continue
    touch(left[index])
    touch(right[index])
  }
  for (const [index, element] of left.entries()) pairs.get(element)?.lefts.push(ours[index] as JsonValue)
  for (const [index, element] of right.entries()) pairs.get(element)?.rights.push(theirs[index] as JsonValue)
  return pairs
}
