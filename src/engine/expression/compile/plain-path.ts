import type { NameNode, PathNode, SyntaxNode } from '../syntax-tree.ts'
import { isSequence, type Value } from '../value.ts'
import type { Code, Compiler } from './code.ts'
import { ownField } from './own-field.ts'

/**
 * The short way through `spec.ports` and `$pod.metadata.name`: fields read one after the other.
 *
 * Where a list is met, `general` starts anew. `undefined` when the path is not of names alone.
 */
export function compilePlainPath(node: PathNode, compiler: Compiler, general: Code): Code | undefined {
  const names = plainNames(node)
  if (names === undefined) return undefined
  const [first] = node.steps
  const head = first?.type === 'variable' ? compiler.compile(first) : undefined
  return (frame, input) => {
    frame.run.budget.step()
    let here: Value = head === undefined ? input : head(frame, input)
    for (const name of names) {
      if (typeof here !== 'object' || here === null) return undefined
      if (Array.isArray(here)) return general(frame, input)
      here = ownField(here, name)
    }
    return isSequence(here) ? general(frame, input) : here
  }
}

/** The names of a path that has nothing else, less a variable it begins with. */
function plainNames(node: PathNode): readonly string[] | undefined {
  if (node.keepSingletonArray === true || node.keepArray === true || node.group !== undefined) return undefined
  const steps: readonly SyntaxNode[] = node.steps[0].type === 'variable' ? node.steps.slice(1) : node.steps
  if (!node.steps.every(isBare) || !steps.every((step): step is NameNode => step.type === 'name')) return undefined
  return steps.map((step) => step.value)
}

/** No predicate, no binding, nothing but itself. */
function isBare(step: SyntaxNode): boolean {
  return (
    step.predicate === undefined &&
    step.stages === undefined &&
    step.group === undefined &&
    step.tuple !== true &&
    step.keepArray !== true
  )
}
