import { join } from 'node:path'
import type { Command } from '../../src/rolebook/cli/command.ts'
import { parseCommandLine } from '../../src/rolebook/cli/parse-command-line.ts'
import { FakeTerminal } from './fake-terminal.ts'

export type CommandResult = FakeTerminal & { readonly code: number }

/** A command of the program in this process, on the project of a folder. */
export function runInProject(command: Command, folder: string, ...flags: string[]): Promise<CommandResult> {
  const place = ['--watches-file', join(folder, 'watches.yaml'), '--roles-path', join(folder, 'roles')]
  return runCommand(command, ...place, ...flags)
}

export async function runCommand(command: Command, ...args: readonly string[]): Promise<CommandResult> {
  const terminal = new FakeTerminal()
  const parsed = parseCommandLine([command.name, ...args], { commands: [command], terminal })
  if (!('command' in parsed)) throw new Error(terminal.stderr)
  return Object.assign(terminal, { code: await parsed.command.run(parsed.invocation) })
}
