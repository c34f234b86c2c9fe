/** One form that a value may have. */
export type Shape =
  /** `values`: it is one of these. */
  | { readonly kind: 'text'; readonly values?: readonly string[] | undefined }
  | { readonly kind: 'number' | 'boolean' | 'function' }
  | { readonly kind: 'object'; readonly object: ObjectType }
  | { readonly kind: 'list'; readonly item: Type }

export type ShapeKind = Shape['kind']

/** What is known of the fields of an object. Fields are asked for one by one: types of built-in kinds may contain themselves. */
export interface ObjectType {
  /** `undefined`: the type knows no such field. */
  field(name: string): Type | undefined
  /** Fields that it knows by name. */
  names(): readonly string[]
  /**
   * What it means that a field is unknown. closed: it cannot be there. likely: a newer server might have it. open: nothing.
   */
  readonly unknown: 'closed' | 'likely' | 'open'
  /** What its schema says of a field for people. Defaults to nothing. */
  readonly doc?: ((name: string) => string | undefined) | undefined
  /** Written out in a role, so that all of its fields are meant to arrive. */
  readonly written?: boolean | undefined
}

/** What a value can be: any of the shapes, or anything at all. */
export interface Type {
  /** Absent: anything. Empty: never a value. */
  readonly shapes?: readonly Shape[] | undefined
  /** Whether it is known that there may be no value. */
  readonly optional: boolean
  /** A sequence of JSONata: a list that turns into its element when it has one. Its shapes are both. */
  readonly collapses: boolean
}

export const ANY: Type = { optional: false, collapses: false }
export const NOTHING: Type = { shapes: [], optional: true, collapses: false }
export const TEXT: Type = simple('text')
export const NUMBER: Type = simple('number')
export const BOOLEAN: Type = simple('boolean')
export const FUNCTION: Type = simple('function')

function simple(kind: 'text' | 'number' | 'boolean' | 'function'): Type {
  return { shapes: [{ kind }], optional: false, collapses: false }
}

/** One of these texts and no other. */
export function oneOf(values: readonly string[]): Type {
  return { shapes: [{ kind: 'text', values }], optional: false, collapses: false }
}

export function listOf(item: Type): Type {
  return { shapes: [{ kind: 'list', item: definite(item) }], optional: false, collapses: false }
}

export function objectOf(object: ObjectType): Type {
  return { shapes: [{ kind: 'object', object }], optional: false, collapses: false }
}

const OPEN: ObjectType = { field: () => ANY, names: () => [], unknown: 'open' }
/** An object with unknown fields. */
export const SOME_OBJECT: Type = objectOf(OPEN)

/** An object with these fields and no others. */
export function record(fields: { readonly [name: string]: Type }, unknown: ObjectType['unknown'] = 'closed'): Type {
  const known = new Map(Object.entries(fields))
  const otherwise = unknown === 'open' ? ANY : undefined
  const field = (name: string): Type | undefined => known.get(name) ?? otherwise
  return objectOf({ field, names: () => [...known.keys()], unknown, written: true })
}

export function optional(type: Type): Type {
  return type.optional ? type : { ...type, optional: true }
}

/** The type where there is a value. */
export function definite(type: Type): Type {
  return type.optional ? { ...type, optional: false } : type
}

/** A type with more forms is of no use: it counts as unknown. */
const MOST_SHAPES = 12

export function union(types: readonly Type[]): Type {
  const [first = NOTHING] = types
  if (types.length === 1) return first
  const known = types.flatMap(({ shapes }) => (shapes === undefined ? [] : [shapes]))
  const isOptional = types.some((type) => type.optional)
  if (known.length < types.length) return { optional: isOptional, collapses: false }
  const shapes = mergeShapes(known.flat())
  if (shapes.length > MOST_SHAPES) return { optional: isOptional, collapses: false }
  return { shapes, optional: isOptional, collapses: types.some(({ collapses }) => collapses) }
}

function mergeShapes(all: readonly Shape[]): readonly Shape[] {
  const unique = [...new Set(all)]
  const plain = unique.filter(({ kind }) => kind !== 'text' && kind !== 'list' && kind !== 'object')
  const byKind = new Map(plain.map((shape) => [shape.kind, shape]))
  return [...mergeTexts(unique), ...byKind.values(), ...mergeLists(unique), ...objectsIn(unique)]
}

function mergeTexts(shapes: readonly Shape[]): readonly Shape[] {
  const texts = shapes.filter((shape) => shape.kind === 'text')
  const [first] = texts
  if (first === undefined || texts.length === 1) return texts
  const values = texts.map((text) => text.values)
  if (values.includes(undefined)) return [{ kind: 'text' }]
  return [{ kind: 'text', values: [...new Set(values.flatMap((some) => some ?? []))] }]
}

function mergeLists(shapes: readonly Shape[]): readonly Shape[] {
  const lists = shapes.filter((shape) => shape.kind === 'list')
  return lists.length < 2 ? lists : [{ kind: 'list', item: union(lists.map(({ item }) => item)) }]
}

function objectsIn(shapes: readonly Shape[]): readonly Shape[] {
  const objects = shapes.filter((shape) => shape.kind === 'object')
  return [...new Map(objects.map((shape) => [shape.object, shape])).values()]
}

/** Whether values of the type can be of one of the kinds, as far as is known. */
export function canBe(type: Type, ...kinds: readonly ShapeKind[]): boolean {
  return type.shapes === undefined || type.shapes.some(({ kind }) => kinds.includes(kind))
}

/** Whether a value of the type is certainly of one of the kinds. Nothing is known of what is never a value. */
export function isAlways(type: Type, ...kinds: readonly ShapeKind[]): boolean {
  const { shapes = [] } = type
  return shapes.length > 0 && shapes.every(({ kind }) => kinds.includes(kind))
}

/** What a path sees one by one: the items of lists, and everything else. */
export function itemsOf(type: Type): Type {
  const { shapes } = type
  if (shapes === undefined) return ANY
  if (!shapes.some(({ kind }) => kind === 'list'))
    return type.optional || type.collapses ? { ...type, optional: false, collapses: false } : type
  const types = shapes.map(
    (shape): Type => (shape.kind === 'list' ? shape.item : { shapes: [shape], optional: false, collapses: false }),
  )
  return definite(union(types))
}

/** A list that was made by a path or a filter: nothing, one item, or a list of several. */
export function sequenceOf(item: Type, collapses = true): Type {
  if (item.shapes === undefined) return ANY
  if (item.shapes.length === 0) return NOTHING
  const both = union([definite(item), listOf(item)])
  return { ...both, optional: true, collapses }
}

const NAMES: Readonly<Record<ShapeKind, string>> = {
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
  object: 'an object',
  list: 'a list',
}

/** `text or a list`: how messages name a type that is partly known. */
export function describeType({ shapes = [] }: Type): string {
  return [...new Set(shapes.map(({ kind }) => NAMES[kind]))].join(' or ')
}
