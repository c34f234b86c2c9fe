import { explain } from '../../core/base/coded-error.ts'
import { type Command, UsageError } from './command.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

/** All commands, in the order of `--help`. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['init', async () => (await import('./commands/init.ts')).initCommand],
  ['sandbox', async () => (await import('./commands/sandbox.ts')).sandboxCommand],
  ['envtest', async () => (await import('./commands/envtest.ts')).envtestCommand],
  ['run', async () => (await import('./commands/run.ts')).runCommand],
  ['check', async () => (await import('./commands/check.ts')).checkCommand],
  ['lsp', async () => (await import('./commands/lsp.ts')).lspCommand],
  ['graph', async () => (await import('./commands/graph.ts')).graphCommand],
  ['diff', async () => (await import('./commands/diff.ts')).diffCommand],
  ['explain', async () => (await import('./commands/explain.ts')).explainCommand],
  ['history', async () => (await import('./commands/history.ts')).historyCommand],
  ['tree', async () => (await import('./commands/tree.ts')).treeCommand],
  ['render', async () => (await import('./commands/render.ts')).renderCommand],
  ['preview', async () => (await import('./commands/preview.ts')).previewCommand],
  ['test', async () => (await import('./commands/test.ts')).testCommand],
  ['prove', async () => (await import('./commands/prove.ts')).proveCommand],
  ['generate', async () => (await import('./commands/generate.ts')).generateCommand],
  ['schema', async () => (await import('./commands/schema.ts')).schemaCommand],
  ['migrate', async () => (await import('./commands/migrate.ts')).migrateCommand],
  ['completion', async () => (await import('./commands/completion.ts')).newCompletionCommand(loadCommands)],
  ['version', async () => (await import('./commands/version.ts')).versionCommand],
])

/** argv to a command to an exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal, calledAs?: string): Promise<ExitCode> {
  const parsed = parseCommandLine(args, { commands: await loadCommands(args[0]), terminal, calledAs })
  if ('exitCode' in parsed) return parsed.exitCode
  try {
    return await parsed.command.run(parsed.invocation)
  } catch (error) {
    terminal.err(`rolebook ${parsed.command.name}: ${explain(error)}\n`)
    return error instanceof UsageError ? EXIT.usage : EXIT.failure
  }
}

/** The named command alone: the operator needs no API server, and `version` next to nothing. All, where none is named so. */
export async function loadCommands(name?: string): Promise<readonly Command[]> {
  const load = COMMANDS.get(name ?? '')
  return Promise.all(load ? [load()] : [...COMMANDS.values()].map((each) => each()))
}
