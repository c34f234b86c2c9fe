import { maskTexts } from '../foreign/mask-texts.ts'
import type { SyntaxNode } from '../syntax-tree.ts'
import { childrenOf } from '../tree-shape.ts'
import { nameAt } from './source-place.ts'

interface Extent {
  readonly position: number
  readonly length: number
}

/** The part of the source that a node was written as, as far as the positions in the tree show it. */
export function extentOf(node: SyntaxNode, source: string): Extent {
  const all = placesOf(node, source)
  if (all.length === 0) return { position: 0, length: source.length }
  const start = Math.min(...all.map(({ position }) => position))
  const end = withBrackets(source, start, Math.max(...all.map(({ position, length }) => position + length)))
  return { position: start, length: Math.max(1, end - start) }
}

function placesOf(node: SyntaxNode, source: string): readonly Extent[] {
  return [...ownPlace(node, source), ...childrenOf(node).flatMap((child) => placesOf(child, source))]
}

function ownPlace(node: SyntaxNode, source: string): readonly Extent[] {
  const { position } = node
  if (position === undefined) return []
  if (node.type === 'name') return [nameAt(source, position, node.value)]
  if (node.type === 'variable') return [{ position: position - node.value.length - 1, length: node.value.length + 1 }]
  if (node.type === 'string') return [stringAt(source, position)]
  if (node.type === 'number' || node.type === 'value') {
    const written = /[\w.+-]*$/.exec(source.slice(0, position))?.[0] ?? ''
    const length = Math.min(written.length, String(node.value).length)
    return [{ position: position - length, length }]
  }
  return [{ position: Math.max(0, position - 1), length: 1 }]
}

/** The tree holds where a text ends; its quotes show where it begins. */
function stringAt(source: string, end: number): Extent {
  const quote = source.charAt(end - 1)
  let start = end - 2
  while (start > 0 && !(source.charAt(start) === quote && source.charAt(start - 1) !== '\\')) start -= 1
  return { position: Math.max(0, start), length: end - Math.max(0, start) }
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
