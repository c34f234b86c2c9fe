import type { Definition } from './compile/functions.ts'
import { ExpressionError } from './expression-error.ts'
import type { Names } from './expression-names.ts'
import { REFUSED_FUNCTIONS } from './function-table.ts'
import type { SyntaxNode } from './syntax-tree.ts'
import { childrenOf } from './tree-shape.ts'

/** What JSONata has and our language refuses: functions that depend on more than their inputs, and transforms. */
export function refusalsOf(tree: SyntaxNode, names: Names, definitions: Definitions): readonly ExpressionError[] {
  return [...refusedFunctions(names), ...refusedTransforms(tree), ...refusedUses(names, definitions)]
}

type Definitions = ReadonlyMap<string, Pick<Definition, 'reads'>>

/** Functions that take a text in the source, used in another way. */
function refusedUses({ free, textCalls }: Names, definitions: Definitions): readonly ExpressionError[] {
  const right = new Set(textCalls.map(({ position }) => position))
  const wrong = free.filter(({ name, position }) => definitions.get(name)?.reads !== undefined && !right.has(position))
  return wrong.map(({ name, position }) => {
    const message = `$${name} is called with the path itself: $${name}("…")`
    return new ExpressionError('syntax', 'E1207', message, { position, token: name })
  })
}

function refusedFunctions({ free }: Names): readonly ExpressionError[] {
  return free.flatMap(({ name, position }) => {
    const reason = REFUSED_FUNCTIONS.get(name)
    if (reason === undefined) return []
    return [
      new ExpressionError('syntax', 'E1204', `$${name} is not in the language: ${reason}`, { position, token: name }),
    ]
  })
}

function refusedTransforms(tree: SyntaxNode): readonly ExpressionError[] {
  const found: ExpressionError[] = []
  const pending: SyntaxNode[] = [tree]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'transform') {
      const message = 'transforms |…|…| are not in the language: build the object that is wanted with {…} and $merge'
      found.push(new ExpressionError('syntax', 'E1205', message, { position: node.position, token: '|' }))
    }
    pending.push(...childrenOf(node))
  }
  return found
}
