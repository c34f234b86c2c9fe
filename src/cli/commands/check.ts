import { loadProject } from '../../config/load-project.ts'
import type { Diagnostic } from '../../yaml/diagnostic.ts'
import type { Command } from '../command.ts'
import { problemsText, projectOptions } from '../open-project.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { EXIT } from '../terminal.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'check watches.yaml and the roles it names',
  description:
    'Checks watches.yaml, roles, CRDs and samples without a cluster and prints every mistake with file, line and column. ' +
    'Exit code 3 when there is an error.',
  options: [
    ...PROJECT_OPTIONS,
    {
      flags: '--format <format>',
      description: 'text for people, json for editors',
      default: 'text',
      choices: ['text', 'json'],
    },
  ],
  examples: ['rolebook check', 'rolebook check --roles-path deploy/roles --format json'],
  async run(invocation) {
    const { terminal } = invocation
    const result = await loadProject(projectOptions(invocation))
    if (invocation.text('format') === 'json')
      terminal.out(`${JSON.stringify(result.diagnostics.map(toJson), null, 2)}\n`)
    else terminal.out(problemsText(result, terminal))
    if (!result.project) return EXIT.findings
    const roles = new Set(result.project.watches.map(({ role }) => role.name))
    terminal.err(`${result.project.watches.length} watches and ${roles.size} roles are in order\n`)
    return EXIT.ok
  },
}

/** Without the text of the whole file. */
function toJson({ source: _source, ...diagnostic }: Diagnostic): Omit<Diagnostic, 'source'> {
  return diagnostic
}
