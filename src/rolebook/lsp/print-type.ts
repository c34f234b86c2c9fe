import { describeType, type Type } from '../../engine/expression/types/type.ts'

const MOST_FIELDS = 12

/** `"a" or "b"`, `a list of text`: a type in a few words. */
export function printType(type: Type): string {
  const { shapes } = type
  if (shapes === undefined) return 'anything'
  const missing = type.optional ? ', may be missing' : ''
  if (shapes.length === 0) return 'nothing'
  const words = shapes.map((shape) => {
    if (shape.kind === 'text' && shape.values !== undefined && shape.values.length <= MOST_FIELDS)
      return shape.values.map((value) => `"${value}"`).join(' or ')
    if (shape.kind === 'list') return `a list of ${printType({ ...shape.item, optional: false })}`
    return describeType({ shapes: [shape], optional: false, collapses: false })
  })
  return `${[...new Set(words)].join(' or ')}${missing}`
}

/** The names of the fields that objects of a type have, each once. */
export function fieldsOf({ shapes = [] }: Type): readonly string[] {
  const objects = shapes.flatMap((shape) => (shape.kind === 'object' ? [shape.object] : []))
  return [...new Set(objects.flatMap((object) => object.names()))]
}

/** The type of a field, and what its schema says of it. */
export function fieldOf(
  { shapes = [] }: Type,
  name: string,
): { readonly type?: Type | undefined; readonly doc?: string | undefined } {
  for (const shape of shapes) {
    if (shape.kind !== 'object' || !shape.object.names().includes(name)) continue
    return { type: shape.object.field(name), doc: shape.object.doc?.(name) }
  }
  return {}
}
