import { printableText } from '../../../core/base/printable-text.ts'
import { paint } from '../paint.ts'
import type { TreeNode } from './resource-tree.ts'

const READY = { ready: 'yes', notReady: 'no', failed: 'failed' } as const
const COLORS = { ready: 'green', notReady: 'cyan', failed: 'red' } as const

interface Row {
  readonly name: string
  /** Absent: a line that counts what is not listed. */
  readonly node?: TreeNode
}

/** A line for each object: whether it is ready, how far it is, and why it is not ready. */
export function printTree(root: TreeNode, { color }: { readonly color: boolean }): string {
  const rows: readonly Row[] = [{ name: titleOf(root, ''), node: root }, ...rowsBelow(root, '')]
  const width = Math.max(...rows.map(({ name }) => name.length))
  const statusWidth = Math.max('STATUS'.length, ...rows.map(({ node }) => printableText(node?.status ?? '').length))
  const head = `${'OBJECT'.padEnd(width)}  READY   ${'STATUS'.padEnd(statusWidth)}  WHY`
  const lines = rows.map(({ name, node }) => {
    if (!node) return name
    const ready = paint(READY[node.health].padEnd(6), COLORS[node.health], color)
    return `${name.padEnd(width)}  ${ready}  ${printableText(node.status).padEnd(statusWidth)}  ${printableText(node.message)}`
  })
  return `${[head, ...lines].map((line) => line.trimEnd()).join('\n')}\n`
}

function rowsBelow({ owned, more, moreUnready, namespace }: TreeNode, indent: string): readonly Row[] {
  const rest = moreUnready > 0 ? `${more} more, ${moreUnready} of them not ready` : `${more} more`
  const counted: readonly Row[] = more > 0 ? [{ name: `${indent}└─ ${rest}` }] : []
  const rows = owned.flatMap((node, index): readonly Row[] => {
    const isLast = index === owned.length - 1 && more === 0
    const name = `${indent}${isLast ? '└─' : '├─'} ${titleOf(node, namespace)}`
    return [{ name, node }, ...rowsBelow(node, `${indent}${isLast ? '   ' : '│  '}`)]
  })
  return [...rows, ...counted]
}

/** With its namespace, where that is not the one of its owner. */
function titleOf({ kind, namespace, name }: TreeNode, around: string): string {
  const place = namespace === around || namespace === '' ? name : `${namespace}/${name}`
  return printableText(`${kind} ${place}`)
}
