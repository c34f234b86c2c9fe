import type { BinaryNode, SyntaxNode } from '../syntax-tree.ts'
import { extentOf } from './extent.ts'

interface JoinedTexts {
  readonly position: number
  readonly length: number
  /** The sum with `&` in place of each `+` of it. */
  readonly text: string
}

/** Where a sum stands, and how texts are joined in its place. */
export function joinedTexts(sum: BinaryNode, source: string): JoinedTexts {
  const { position, length } = extentOf(sum, source)
  const signs = new Set(signsOf(sum))
  // By code units, as the offsets count.
  const units = source.slice(position, position + length).split('')
  const text = units.map((unit, index) => (signs.has(position + index) ? '&' : unit)).join('')
  return { position, length, text }
}

/** Offsets of the `+` of a sum, and of the sums that are its operands. The tree holds where a sign ends. */
function signsOf(node: SyntaxNode): readonly number[] {
  if (node.type !== 'binary' || node.value !== '+') return []
  return [...signsOf(node.lhs), node.position - 1, ...signsOf(node.rhs)]
}
