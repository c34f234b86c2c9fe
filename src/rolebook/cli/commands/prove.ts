import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import type { Command } from '../command.ts'
import { projectOptions } from '../open-project.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { type ProveOptions, proveRoles } from '../prove-roles.ts'
import { COUNT, SEED } from '../value-kind.ts'

export const proveCommand: Command = {
  name: 'prove',
  summary: 'look for a life in which a role breaks a promise',
  description:
    'Lets each role, or ROLE alone, live many lives on a sandbox: resources made from its CRD, edits, faults, drift and restarts in ' +
    'random order. In each it converges, writes nothing at rest or in a second run, undoes drift, shows no secret and removes ' +
    'what it made. A life in which it does not is made small and written to the tests of the role. Exit code 1 when there is one.',
  arguments: '[role]',
  options: [
    ...PROJECT_OPTIONS,
    { flags: '--cases <n>', description: 'how many lives of each role', default: '100', kind: COUNT },
    {
      flags: '--seed <n>',
      description: 'what chance begins with: the same lives for the same number',
      default: '1',
      kind: SEED,
    },
    { flags: '--case <n>', description: 'this case alone, by its number', kind: COUNT },
    {
      flags: '--reporter <format>',
      description: 'table for people, junit for CI systems, json for programs',
      default: 'table',
      choices: ['table', 'junit', 'json'],
    },
  ],
  examples: [
    'rolebook prove',
    'rolebook prove memcached --cases 1000 --seed 7',
    'rolebook prove --reporter junit > proof.xml',
  ],
  async run(invocation) {
    return proveRoles({
      files: projectOptions(invocation),
      terminal: invocation.terminal,
      schemas: loadBuiltinSchemas(),
      role: invocation.files[0],
      seed: Number(invocation.given('seed')),
      cases: Number(invocation.given('cases')),
      only: invocation.text('case') === undefined ? undefined : Number(invocation.text('case')),
      reporter: invocation.given('reporter') as ProveOptions['reporter'],
    })
  },
}
