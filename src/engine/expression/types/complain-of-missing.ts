import type { SyntaxNode } from '../syntax-tree.ts'
import { extentOf } from './extent.ts'
import type { Inference, Place } from './inference.ts'
import { canBe, type Type } from './type.ts'

const EFFECTS = {
  '&': 'is "" for `&`',
  '!=': 'makes `!=` false',
  $not: 'makes `$not` yield nothing',
} as const

/** A path that may have no value, where JSONata goes on as if nothing were wrong. */
export function complainOfMissing(
  operator: keyof typeof EFFECTS,
  node: SyntaxNode,
  type: Type,
  { place, inference }: { readonly place: Place; readonly inference: Inference },
): void {
  if (place.guarded || !type.optional || type.shapes === undefined || type.shapes.length === 0) return
  // What may be several values is another matter, and nothing but a path has a name to mention.
  if (node.type !== 'path' || canBe(type, 'list')) return
  const extent = extentOf(node, inference.source)
  const path = inference.source.slice(extent.position, extent.position + extent.length)
  inference.complain({
    code: 'missing-operand',
    severity: 'warning',
    message: `${path} may be missing, which ${EFFECTS[operator]}`,
    ...extent,
    hint: hintFor(operator, path, type),
    path: path.replace(/^\$\$\./, ''),
  })
}

function hintFor(operator: keyof typeof EFFECTS, path: string, type: Type): string {
  if (operator !== '$not') return `say what holds then: \`(${path} ?? …)\``
  return canBe(type, 'boolean')
    ? `say what holds then: \`${path} ?? …\``
    : `to ask whether it is there: \`$not($exists(${path}))\``
}
