import { graphOfRole } from '../../../engine/role/graph/printed-graph.ts'
import type { Command } from '../command.ts'
import { GRAPH_FORMATS, printGraph } from '../graph/print-graph.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { pickRole } from '../pick-role.ts'
import { EXIT } from '../terminal.ts'

export const graphCommand: Command = {
  name: 'graph',
  summary: 'print what orders the tasks of a role',
  description:
    'Prints the tasks of a role as a graph: an arrow leads from a task to one that comes after it, and says why. Tasks ' +
    'without a path between them run at the same time. At a dashed arrow, the first task only has to end, with success or without.',
  arguments: '[role]',
  options: [
    {
      flags: '-o, --output <format>',
      description: 'mermaid, which GitHub shows in Markdown; dot for Graphviz; or json',
      default: 'mermaid',
      choices: GRAPH_FORMATS,
    },
    ...PROJECT_OPTIONS,
  ],
  examples: ['rolebook graph', 'rolebook graph memcached -o dot | dot -Tsvg > memcached.svg'],
  async run(invocation) {
    const { terminal, files, given } = invocation
    const project = await openProject(projectOptions(invocation), terminal)
    if (!project) return EXIT.usage
    terminal.out(printGraph(graphOfRole(pickRole(project, files[0])), given('output')))
    return EXIT.ok
  },
}
