import { ExpressionError } from './expression-error.ts'
import type { Group, SyntaxNode } from './syntax-tree.ts'

/** All nodes directly below a node. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const around = [...(node.predicate ?? []), ...(node.stages ?? [])]
  const filters = around.flatMap((stage) => (stage.type === 'filter' ? [stage.expr] : []))
  return [...ownChildren(node), ...filters, ...(node.group === undefined ? [] : pairsOf(node.group))]
}

function ownChildren(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case 'path':
      return node.steps
    case 'binary':
    case 'apply':
    case 'bind':
      return [node.lhs, node.rhs]
    case 'unary':
      return node.value === '-' ? [node.expression] : node.value === '[' ? node.expressions : pairsOf(node)
    case 'function':
    case 'partial':
      return [node.procedure, ...node.arguments]
    case 'lambda':
      return [node.body]
    case 'condition':
      return node.else === undefined ? [node.condition, node.then] : [node.condition, node.then, node.else]
    case 'block':
      return node.expressions
    case 'sort':
      return node.terms.map((term) => term.expression)
    case 'transform':
      return node.delete === undefined ? [node.pattern, node.update] : [node.pattern, node.update, node.delete]
    default:
      return []
  }
}

function pairsOf(group: Group): readonly SyntaxNode[] {
  return group.lhs.flat()
}

/** The longest way down from a node, itself included. Lambdas within count too. */
export function heightOf(node: SyntaxNode): number {
  let height = 0
  let level: readonly SyntaxNode[] = [node]
  while (level.length > 0) {
    height += 1
    level = level.flatMap(childrenOf)
  }
  return height
}

/** How deep a tree may be: what the evaluator's closures, one within the other, take of the machine's stack. */
const MAX_HEIGHT = 200

/** @throws ExpressionError `E1202` */
export function checkTreeSize(tree: SyntaxNode): void {
  if (heightOf(tree) <= MAX_HEIGHT) return
  throw new ExpressionError('syntax', 'E1202', 'the expression nests too deeply', { position: tree.position })
}
