import process from 'node:process'
import { systemClock } from '../../../core/base/clock.ts'
import { RoleParser } from '../../../engine/role/parse/parse-role.ts'
import { TaskRegistry } from '../../../engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../../engine/tasks/builtin-task-kinds.ts'
import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import { PROBE_TASK } from '../../lsp/probe-task.ts'
import type { AnySchema } from '../../lsp/schema-places.ts'
import { serve } from '../../lsp/serve.ts'
import { TEST_SCHEMA } from '../../role-test/test-schema.ts'
import type { Command } from '../command.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { programVersion } from '../program-version.ts'
import { readCrds } from '../read-crds.ts'
import { EXIT } from '../terminal.ts'

export const lspCommand: Command = {
  name: 'lsp',
  summary: 'help editors with roles: a language server',
  description:
    'Speaks the language server protocol on stdin and stdout, for editors to start: what check finds while one types, completion, hover, ' +
    'definitions, references, rename, outline and quick fixes. The project of a file is the nearest folder around it with watches.yaml.',
  options: [
    ...PROJECT_OPTIONS,
    {
      flags: '--schemas <dir>',
      description: 'a folder with CRDs of kinds that roles read or make and that are not theirs',
    },
    { flags: '--stdio', description: 'what editors ask for, and what it does anyway' },
  ],
  examples: ['rolebook lsp', 'rolebook lsp --schemas vendor/crds'],
  async run({ terminal, given, text }) {
    const folder = text('schemas')
    const { stdin, stdout } = process
    const { inOrder } = await serve({
      input: stdin,
      output: stdout,
      signal: terminal.stopped,
      clock: systemClock,
      version: programVersion(),
      tests: TEST_SCHEMA as AnySchema,
      watchesFile: given('watches-file'),
      rolesPath: given('roles-path'),
      environment: terminal.environment,
      kinds: builtinTaskKinds,
      parser: new RoleParser(new TaskRegistry([...builtinTaskKinds, PROBE_TASK])),
      schemas: { builtin: loadBuiltinSchemas(), crds: folder === undefined ? [] : readCrds(folder) },
    })
    // The editor may keep its end of the pipe open.
    stdin.destroy()
    return inOrder || terminal.stopped.aborted ? EXIT.ok : EXIT.failure
  },
}
