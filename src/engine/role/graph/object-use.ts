import { formatGroupKind, type GroupKind } from '../../../core/kube/group-version-kind.ts'
import { splitTemplate, type TemplatePart } from '../../expression/split-template.ts'

/** Objects that a task reads or writes, as far as its role says before any run. */
export interface ObjectUse {
  readonly kind: GroupKind
  readonly access: 'read' | 'write'
  /** As it is written in the role. Absent: any, in any namespace. */
  readonly name?: string | undefined
  /** As it is written in the role. Absent: the namespace of the resource, or none. */
  readonly namespace?: string | undefined
  /** Whether its expressions see names that those of other tasks do not: of a loop, or of a file. Defaults to false. */
  readonly isApart?: boolean | undefined
}

/** Whether two uses may be of one object. */
export function mayBeSameObject(left: ObjectUse, right: ObjectUse): boolean {
  if (formatGroupKind(left.kind) !== formatGroupKind(right.kind)) return false
  if (left.name === undefined || right.name === undefined) return true
  const isApart = left.isApart === true || right.isApart === true
  return mayBeEqual(left.name, right.name, isApart) && mayBeInOneNamespace(left, right, isApart)
}

/** The namespace of a resource may have any name. So two namespaces can differ for certain only if the role names both. */
function mayBeInOneNamespace(left: ObjectUse, right: ObjectUse, isApart: boolean): boolean {
  if (left.namespace === undefined || right.namespace === undefined) return true
  return mayBeEqual(left.namespace, right.namespace, isApart)
}

/**
 * Whether two texts with expressions in them may yield the same. Equal expressions yield the same within one run, unless they
 * read variables and `isApart` says that a variable may mean different things in the two.
 */
export function mayBeEqual(left: string, right: string, isApart = false): boolean {
  const [one, other] = [piecesOf(left), piecesOf(right)]
  return !(differ(one, other, isApart) || differ(one.toReversed(), other.toReversed(), isApart))
}

/** A character of a text, or the source of an expression. */
type Piece = { readonly character: string } | { readonly source: string }

function piecesOf(text: string): readonly Piece[] {
  return partsOf(text).flatMap((part): readonly Piece[] =>
    'text' in part ? [...part.text].map((character) => ({ character })) : [{ source: part.source.trim() }],
  )
}

/** What cannot be split was reported where it stands. */
function partsOf(text: string): readonly TemplatePart[] {
  try {
    return splitTemplate(text)
  } catch {
    return [{ source: text, offset: 0 }]
  }
}

/** Whether the beginnings of two texts prove that the texts are different in any case. */
function differ(left: readonly Piece[], right: readonly Piece[], isApart: boolean): boolean {
  let at = 0
  while (at < left.length && at < right.length && isSame(left[at], right[at], isApart)) at++
  const [one, other] = [left[at], right[at]]
  if (one !== undefined && other !== undefined) return 'character' in one && 'character' in other
  // One of them ends here: they differ if the other has a character more.
  return [...left.slice(at), ...right.slice(at)].some((piece) => 'character' in piece)
}

function isSame(left: Piece | undefined, right: Piece | undefined, isApart: boolean): boolean {
  if (!left || !right) return false
  if ('character' in left) return 'character' in right && left.character === right.character
  return 'source' in right && left.source === right.source && !(isApart && left.source.includes('$'))
}
