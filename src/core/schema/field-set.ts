import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../base/json.ts'
import { chosenShape, possibleShapes, remainingItemElement } from './list-type.ts'
import { type ListType, type MapType, type MergeType, mergeTypeOf } from './merge-type.ts'
import { comparePathElements, fieldElement, type PathElement, parsePathElement } from './path-element.ts'
import type { Schema } from './schema.ts'

/** One step of a set, and what lies beneath it. */
export interface FieldNode {
  /** Whether the field itself is in the set, not only some beneath it. */
  readonly member: boolean
  readonly children: FieldSet | undefined
}

type Node = FieldNode
type Nodes = ReadonlyMap<PathElement, Node>

/** Decoded sets by their JSON: a stored object's entries are read at each write to it. */
const decoded = new WeakMap<JsonObject, FieldSet>()

/** A set of fields of objects of one kind, as in `managedFields`. Immutable. */
export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(new Map())

  readonly #nodes: Nodes
  #json: JsonObject | undefined

  private constructor(nodes: Nodes) {
    this.#nodes = nodes
  }

  /** @throws Error when a key cannot be read */
  static fromFieldsV1(json: JsonObject): FieldSet {
    const known = decoded.get(json)
    if (known !== undefined) return known
    const set = FieldSet.#read(json) ?? FieldSet.empty
    decoded.set(json, set)
    return set
  }

  /** Every leaf, item and empty object that a value mentions. The value must fit its schema. */
  static fromObject(object: JsonValue, schema: Schema | undefined): FieldSet {
    return FieldSet.fromTyped(object, mergeTypeOf(schema))
  }

  /** `fromObject`, for callers that have the merge type already. */
  static fromTyped(value: JsonValue, type: MergeType): FieldSet {
    return childrenOf(value, type).set
  }

  static ofPaths(paths: Iterable<readonly PathElement[]>): FieldSet {
    const builder = new FieldSetBuilder()
    for (const path of paths) builder.insert(path)
    return builder.build()
  }

  /** Of plain field names: what resetFields consist of. */
  static ofFields(paths: Iterable<JsonPath>): FieldSet {
    return FieldSet.ofPaths([...paths].map((path) => path.map((name) => fieldElement(String(name)))))
  }

  /** Takes the map over: it must not be changed afterwards. It has no empty nodes. */
  static fromNodes(nodes: Nodes): FieldSet {
    return nodes.size === 0 ? FieldSet.empty : new FieldSet(nodes)
  }

  /** Elements in the order in which the server writes them. A frozen object, the same each time. */
  toFieldsV1(): JsonObject {
    if (this.#json === undefined) {
      this.#json = this.#write(false)
      decoded.set(this.#json, this)
    }
    return this.#json
  }

  has(path: readonly PathElement[]): boolean {
    let set: FieldSet | undefined = this
    for (const element of path.slice(0, -1)) set = set?.child(element)
    const last = path.at(-1)
    return last !== undefined && set?.isMember(last) === true
  }

  /** Whether the set has the step itself. */
  isMember(element: PathElement): boolean {
    return this.#nodes.get(element)?.member === true
  }

  /** What the set has beneath a step. */
  child(element: PathElement): FieldSet | undefined {
    return this.#nodes.get(element)?.children
  }

  /** First steps of the set, as members or as parents of members, in no particular order. */
  entries(): Iterable<readonly [element: PathElement, node: Node]> {
    return this.#nodes
  }

  isEmpty(): boolean {
    return this.#nodes.size === 0
  }

  /** Every field of the set, parents before what lies beneath them, in the order of the server. */
  *paths(prefix: readonly PathElement[] = []): Iterable<readonly PathElement[]> {
    const sorted = this.#sorted()
    for (const [element, { member }] of sorted) if (member) yield [...prefix, element]
    for (const [element, { children }] of sorted)
      if (children !== undefined) yield* children.paths([...prefix, element])
  }

  /** The very set when it has all of the other one already. */
  union(other: FieldSet): FieldSet {
    if (this.isEmpty() || this === other) return other
    let nodes: Map<PathElement, Node> | undefined
    for (const [element, theirs] of other.#nodes) {
      const ours = this.#nodes.get(element)
      const both = ours === undefined ? theirs : unite(ours, theirs)
      if (both !== ours) nodes = (nodes ?? new Map(this.#nodes)).set(element, both)
    }
    return nodes === undefined ? this : new FieldSet(nodes)
  }

  intersection(other: FieldSet): FieldSet {
    const nodes = new Map<PathElement, Node>()
    for (const [element, theirs] of other.#nodes) {
      const ours = this.#nodes.get(element)
      if (ours === undefined) continue
      const children = theirs.children && ours.children?.intersection(theirs.children)
      addNode(nodes, element, { member: ours.member && theirs.member, children })
    }
    return FieldSet.fromNodes(nodes)
  }

  /** Only equal fields go: what lies beneath a field of `other` stays. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, (ours, theirs) => {
      const children = theirs.children === undefined ? ours.children : ours.children?.difference(theirs.children)
      return { member: ours.member && !theirs.member, children }
    })
  }

  /** Also removes what lies beneath the fields of `other`. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#without(other, (ours, theirs) => {
      if (theirs.member) return undefined
      // What is no member has something beneath it.
      const children = theirs.children && ours.children?.recursiveDifference(theirs.children)
      return { member: ours.member, children }
    })
  }

  isSubsetOf(other: FieldSet): boolean {
    return this.difference(other).isEmpty()
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true
    if (this.#nodes.size !== other.#nodes.size) return false
    for (const [element, ours] of this.#nodes) {
      const theirs = other.#nodes.get(element)
      if (theirs?.member !== ours.member || !sameChildren(ours.children, theirs.children)) return false
    }
    return true
  }

  /** With what `keep` leaves of the steps that both have; the very set when it leaves all. Quick for a small `other`. */
  #without(other: FieldSet, keep: (ours: Node, theirs: Node) => Node | undefined): FieldSet {
    let nodes: Map<PathElement, Node> | undefined
    for (const [element, theirs] of other.#nodes) {
      const ours = this.#nodes.get(element)
      const kept = ours && keep(ours, theirs)
      if (kept?.member === ours?.member && kept?.children === ours?.children) continue
      nodes ??= new Map(this.#nodes)
      nodes.delete(element)
      addNode(nodes, element, kept)
    }
    return nodes ? FieldSet.fromNodes(nodes) : this
  }

  #sorted(): readonly (readonly [PathElement, Node])[] {
    const nodes = [...this.#nodes]
    return nodes.length < 2 ? nodes : nodes.sort(([left], [right]) => comparePathElements(left, right))
  }

  #write(self: boolean): JsonObject {
    const json: { [key: string]: JsonValue } = self ? { '.': EMPTY } : {}
    for (const [element, { member, children }] of this.#sorted()) {
      json[element] = children === undefined ? EMPTY : children.#write(member)
    }
    return Object.freeze(json)
  }

  /** `undefined` for an empty object, which stands for the field above it. */
  static #read(json: JsonObject): FieldSet | undefined {
    const nodes = new Map<PathElement, Node>()
    for (const [key, inner] of Object.entries(json)) {
      if (key === '.') continue
      const element = parsePathElement(key)
      if (element === undefined) continue
      const beneath = isJsonObject(inner) ? inner : EMPTY
      const children = FieldSet.#read(beneath)
      addNode(nodes, element, { member: children === undefined || Object.hasOwn(beneath, '.'), children })
    }
    return nodes.size === 0 ? undefined : new FieldSet(nodes)
  }
}

function sameChildren(ours: FieldSet | undefined, theirs: FieldSet | undefined): boolean {
  return ours === theirs || (ours !== undefined && theirs !== undefined && ours.equals(theirs))
}

const EMPTY: JsonObject = Object.freeze({})

/** Adds a node to a map that is going to be a set, unless it is empty. */
export function addNode(nodes: Map<PathElement, Node>, element: PathElement, node: Node | undefined): void {
  if (node === undefined) return
  const children = node.children?.isEmpty() ? undefined : node.children
  if (node.member || children !== undefined) nodes.set(element, { member: node.member, children })
}

function unite(ours: Node, theirs: Node): Node {
  const children =
    ours.children && theirs.children ? ours.children.union(theirs.children) : (ours.children ?? theirs.children)
  const member = ours.member || theirs.member
  return member === ours.member && children === ours.children ? ours : { member, children }
}

/** Collects fields one by one. */
export class FieldSetBuilder {
  readonly #nodes = new Map<PathElement, { member: boolean; beneath: FieldSetBuilder | undefined }>()

  /** Adds one field, not its parents. The root is never in a set. */
  insert(path: readonly PathElement[]): void {
    let here: FieldSetBuilder = this
    for (const element of path.slice(0, -1)) here = here.#beneath(element)
    const last = path.at(-1)
    if (last !== undefined) here.#node(last).member = true
  }

  build(): FieldSet {
    const nodes = new Map<PathElement, Node>()
    for (const [element, { member, beneath }] of this.#nodes)
      addNode(nodes, element, { member, children: beneath?.build() })
    return FieldSet.fromNodes(nodes)
  }

  #node(element: PathElement): { member: boolean; beneath: FieldSetBuilder | undefined } {
    const known = this.#nodes.get(element)
    if (known !== undefined) return known
    const node = { member: false, beneath: undefined }
    this.#nodes.set(element, node)
    return node
  }

  #beneath(element: PathElement): FieldSetBuilder {
    const node = this.#node(element)
    node.beneath ??= new FieldSetBuilder()
    return node.beneath
  }
}

/** The fields beneath a value, and whether the value as a whole is one (a scalar, something atomic). */
interface Fields {
  readonly set: FieldSet
  readonly leaf: boolean
}

const LEAF: Fields = { set: FieldSet.empty, leaf: true }
const NOTHING: Fields = { set: FieldSet.empty, leaf: false }

function childrenOf(value: JsonValue, type: MergeType): Fields {
  const shape = chosenShape(possibleShapes(type, value))
  if (shape === 'scalar') return LEAF
  if (shape === 'map') return fieldsOfMap(value, type.map)
  return fieldsOfList(value, type.list)
}

function fieldsOfMap(value: JsonValue, type: MapType | undefined): Fields {
  if (type === undefined || type.atomic) return LEAF
  if (!isJsonObject(value)) return NOTHING
  const nodes = new Map<PathElement, Node>()
  for (const [name, inner] of Object.entries(value)) {
    const innerType = type.field(name)
    if (inner === undefined || innerType === undefined) continue
    const { set, leaf } = childrenOf(inner, innerType)
    const empty = inner === null || (isJsonObject(inner) && Object.keys(inner).length === 0)
    addNode(nodes, fieldElement(name), { member: leaf || empty || !type.declares(name), children: set })
  }
  return { set: FieldSet.fromNodes(nodes), leaf: false }
}

function fieldsOfList(value: JsonValue, type: ListType | undefined): Fields {
  if (type === undefined || type.kind === 'atomic') return LEAF
  if (!Array.isArray(value)) return NOTHING
  const nodes = new Map<PathElement, Node>()
  for (const item of value) {
    const element = remainingItemElement(type, item)
    const children = nodes.has(element) ? undefined : childrenOf(item, type.element).set
    addNode(nodes, element, { member: true, children })
  }
  return { set: FieldSet.fromNodes(nodes), leaf: false }
}
