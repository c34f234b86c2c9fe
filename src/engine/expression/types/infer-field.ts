import { nearestName } from '../../../core/base/nearest-name.ts'
import type { NameNode } from '../syntax-tree.ts'
import type { Inference } from './inference.ts'
import { nameAt, writtenName } from './source-place.ts'
import { ANY, describeType, NOTHING, type ObjectType, optional, type Shape, type Type, union } from './type.ts'

/** The field of one value that is not a list. Complains when it cannot be there. */
export function inferField(of: Type, step: NameNode, inference: Inference): Type {
  const type = fieldType(of, step, inference)
  const { source, see } = inference
  see?.({ kind: 'field', name: step.value, ...nameAt(source, step.position, step.value), type, of })
  return type
}

function fieldType(of: Type, step: NameNode, inference: Inference): Type {
  const { shapes } = of
  if (shapes === undefined) return ANY
  if (shapes.length === 0) return NOTHING
  const found = shapes.map((shape) => fieldOf(shape, step.value))
  const known = found.filter((type) => type !== undefined)
  if (known.length === 0) complain(of, step, inference)
  if (known.length === 0) return NOTHING
  return known.length < found.length ? optional(union(known)) : union(known)
}

function fieldOf(shape: Shape, name: string): Type | undefined {
  if (shape.kind === 'list') return ANY
  if (shape.kind !== 'object') return undefined
  const type = shape.object.field(name)
  return type ?? (shape.object.unknown === 'open' ? ANY : undefined)
}

function complain(of: Type, { value: name, position }: NameNode, inference: Inference): void {
  const { root, source } = inference
  // What `$` has at its top is checked with the names of the expression.
  if (of === root) return
  const objects = (of.shapes ?? []).flatMap((shape) => (shape.kind === 'object' ? [shape.object] : []))
  const place = nameAt(source, position, name)
  const code = 'unknown-path'
  if (objects.length === 0) {
    const message = `${describeType(of)} has no field ${writtenName(name)}`
    inference.complain({ code, severity: 'error', message, ...place })
    return
  }
  const names = objects.flatMap((object) => object.names())
  const nearest = nearestName(name, names)
  const isCertain = nearest !== undefined || objects.every(({ unknown }) => unknown === 'closed')
  const message = `there is no field ${writtenName(name)} here`
  const hint = hintFor(name, { nearest, root, names })
  inference.complain({ code, severity: isCertain ? 'error' : 'warning', message, ...place, hint })
}

function hintFor(
  name: string,
  { nearest, root, names }: { nearest: string | undefined; root: Type; names: readonly string[] },
): string | undefined {
  if (isFieldOf(root, name))
    return `within a step, names are those of its item: the resource's is \`$$.${writtenName(name)}\``
  if (nearest !== undefined) return `did you mean ${writtenName(nearest)}?`
  const shown = names.slice(0, MOST_NAMES)
  if (shown.length === 0) return undefined
  return `there are ${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`
}

const MOST_NAMES = 8

function isFieldOf({ shapes = [] }: Type, name: string): boolean {
  const has = (object: ObjectType): boolean => object.names().includes(name)
  return shapes.some((shape) => shape.kind === 'object' && has(shape.object))
}
