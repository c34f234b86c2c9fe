import { addNode, type FieldNode, FieldSet } from '../../../core/schema/field-set.ts'
import { chosenShape, type Shapes } from '../../../core/schema/list-type.ts'
import type { ListType, MapType, MergeType } from '../../../core/schema/merge-type.ts'
import { fieldNameOf, type PathElement } from '../../../core/schema/path-element.ts'

/**
 * A set of fields written under an older schema: where the type has become atomic since, the owner of anything beneath it
 * owns the whole instead.
 */
export function reconcileFields(set: FieldSet, type: MergeType): FieldSet {
  const known = reconciled.get(set)
  if (known !== undefined && known.type === type) return known.set
  const result = reconcile(set, type)
  reconciled.set(set, { type, set: result })
  return result
}

/** As `withParents`. */
const reconciled = new WeakMap<FieldSet, { readonly type: MergeType; readonly set: FieldSet }>()

function reconcile(set: FieldSet, type: MergeType): FieldSet {
  const walk = new Walk()
  walk.visit(set, false, type)
  if (walk.atomics.length === 0) return set
  const atomics = FieldSet.ofPaths(walk.atomics)
  return set.recursiveDifference(atomics).union(atomics)
}

class Walk {
  readonly atomics: (readonly PathElement[])[] = []
  readonly #path: PathElement[] = []

  /** `leaf` says that the set has this field and nothing beneath it. */
  visit(set: FieldSet | undefined, leaf: boolean, type: MergeType): void {
    const shape = chosenShape(allShapes(type))
    if (shape === 'map' && type.map !== undefined) this.#visitMap(set, leaf, type.map)
    else if (shape === 'list' && type.list !== undefined) this.#visitList(set, leaf, type.list)
  }

  #visitMap(set: FieldSet | undefined, leaf: boolean, type: MapType): void {
    if (type.deduced) return
    if (!leaf && type.atomic) {
      if (set !== undefined && !set.isEmpty()) this.atomics.push([...this.#path])
      return
    }
    this.#descend(set, (element) => {
      const name = fieldNameOf(element)
      return name === undefined ? undefined : type.field(name)
    })
  }

  #visitList(set: FieldSet | undefined, leaf: boolean, type: ListType): void {
    if (!leaf && type.kind === 'atomic') this.atomics.push([...this.#path])
    else this.#descend(set, () => type.element)
  }

  #descend(set: FieldSet | undefined, typeOf: (element: PathElement) => MergeType | undefined): void {
    for (const [element, { member, children }] of set?.entries() ?? []) {
      const type = typeOf(element)
      if (type === undefined) continue
      this.#path.push(element)
      this.visit(children, member && children === undefined, type)
      this.#path.pop()
    }
  }
}

function allShapes(type: MergeType): Shapes {
  return { map: type.map !== undefined, scalar: type.scalar !== undefined, list: type.list !== undefined }
}

/** By set, for the type asked for last: entries of a stored object are read again at each write to it. */
const withParents = new WeakMap<FieldSet, { readonly type: MergeType | undefined; readonly set: FieldSet }>()

/** The set with every declared field on the way to its members as a member too. */
export function withDeclaredParents(set: FieldSet, type: MergeType | undefined): FieldSet {
  const known = withParents.get(set)
  if (known !== undefined && known.type === type) return known.set
  const nodes = new Map<PathElement, FieldNode>()
  for (const [element, { member, children }] of set.entries()) {
    const name = fieldNameOf(element)
    const declared = name !== undefined && children !== undefined && type?.map?.declares(name) === true
    const beneath = name === undefined ? type?.list?.element : type?.map?.field(name)
    addNode(nodes, element, {
      member: member || declared,
      children: children && withDeclaredParents(children, beneath),
    })
  }
  const result = FieldSet.fromNodes(nodes)
  withParents.set(set, { type, set: result })
  return result
}
