import { maskTexts } from '../foreign/mask-texts.ts'
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
  const end = withBrackets(source, position, position + length)
  const signs = new Set(signsOf(sum))
  // By code units, as the offsets count.
  const units = source.slice(position, end).split('')
  const text = units.map((unit, index) => (signs.has(position + index) ? '&' : unit)).join('')
  return { position, length: end - position, text }
}

/** Offsets of the `+` of a sum, and of the sums that are its operands. The tree holds where a sign ends. */
function signsOf(node: SyntaxNode): readonly number[] {
  if (node.type !== 'binary' || node.value !== '+') return []
  return [...signsOf(node.lhs), node.position - 1, ...signsOf(node.rhs)]
}

/** The end with the brackets behind it that are opened before it: the tree does not hold where they close. */
function withBrackets(source: string, start: number, end: number): number {
  const code = maskTexts(source)
  let depth = 0
  for (const letter of code.slice(start, end)) depth += depthOf(letter)
  let at = end
  for (; depth > 0 && at < code.length; at += 1) depth += depthOf(code.charAt(at))
  return at
}

function depthOf(letter: string): number {
  if ('([{'.includes(letter)) return 1
  return ')]}'.includes(letter) ? -1 : 0
}
