import type { GraphTask, RoleGraph } from '../../../engine/role/graph/printed-graph.ts'

export const GRAPH_FORMATS = ['mermaid', 'dot', 'json'] as const

/** A graph as text in one of the formats. */
export function printGraph(graph: RoleGraph, format: string): string {
  if (format === 'json') return `${JSON.stringify(graph, null, 2)}\n`
  return format === 'dot' ? printDot(graph) : printMermaid(graph)
}

function printMermaid({ tasks, edges }: RoleGraph): string {
  const nodes = printTasks(tasks, undefined, {
    task: ({ id, name, kind }) => `${id}["${entities(`${kind}: ${name}`)}"]`,
    open: ({ id, name }) => `subgraph ${id}["${entities(name)}"]`,
    close: 'end',
  })
  const arrows = edges.map(
    ({ from, to, reason, optional }) => `  ${from} ${optional ? '-.->' : '-->'}|"${entities(reason)}"| ${to}`,
  )
  return ['flowchart TD', ...nodes, ...arrows, ''].join('\n')
}

function printDot({ role, tasks, edges }: RoleGraph): string {
  const nodes = printTasks(tasks, undefined, {
    task: ({ id, name, kind }) => `${id} [label=${JSON.stringify(`${kind}: ${name}`)}]`,
    open: ({ id, name }) => `subgraph cluster_${id} { label=${JSON.stringify(name)}; ${id} [shape=point]`,
    close: '}',
  })
  const arrows = edges.map(
    ({ from, to, reason, optional }) =>
      `  ${from} -> ${to} [label=${JSON.stringify(reason)}${optional ? ', style=dashed' : ''}]`,
  )
  return [`digraph ${JSON.stringify(role)} {`, '  node [shape=box]', ...nodes, ...arrows, '}', ''].join('\n')
}

interface Syntax {
  readonly task: (task: GraphTask) => string
  /** Before and after what a task holds. */
  readonly open: (task: GraphTask) => string
  readonly close: string
}

function printTasks(
  tasks: readonly GraphTask[],
  within: string | undefined,
  syntax: Syntax,
  indent = '  ',
): readonly string[] {
  return tasks
    .filter((task) => task.within === within)
    .flatMap((task) => {
      const held = printTasks(tasks, task.id, syntax, `${indent}  `)
      if (held.length === 0) return [`${indent}${syntax.task(task)}`]
      return [`${indent}${syntax.open(task)}`, ...held, `${indent}${syntax.close}`]
    })
}

/** Text for a label of Mermaid, which takes no quotes and would read markup. */
function entities(text: string): string {
  return text.replace(/["<>#&]/g, (character) => `#${character.charCodeAt(0)};`)
}
