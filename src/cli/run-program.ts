import { explain } from '../base/coded-error.ts'
import { UsageError } from './command.ts'
import { checkCommand } from './commands/check.ts'
import { diffCommand } from './commands/diff.ts'
import { explainCommand } from './commands/explain.ts'
import { generateCommand } from './commands/generate.ts'
import { initCommand } from './commands/init.ts'
import { migrateCommand } from './commands/migrate.ts'
import { renderCommand } from './commands/render.ts'
import { runCommand } from './commands/run.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { schemaCommand } from './commands/schema.ts'
import { testCommand } from './commands/test.ts'
import { versionCommand } from './commands/version.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

/** All commands, in the order of `--help`. */
export const COMMANDS = [
  initCommand,
  sandboxCommand,
  runCommand,
  checkCommand,
  diffCommand,
  explainCommand,
  renderCommand,
  testCommand,
  generateCommand,
  schemaCommand,
  migrateCommand,
  versionCommand,
]

/** argv to a command to an exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseCommandLine(args, { commands: COMMANDS, terminal })
  if ('exitCode' in parsed) return parsed.exitCode
  try {
    return await parsed.command.run(parsed.invocation)
  } catch (error) {
    terminal.err(`rolebook ${parsed.command.name}: ${explain(error)}\n`)
    return error instanceof UsageError ? EXIT.usage : EXIT.failure
  }
}
