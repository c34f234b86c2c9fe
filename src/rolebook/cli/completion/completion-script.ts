import type { Command } from '../command.ts'
import { bashScript } from './bash-script.ts'
import { completedCommand } from './completed-command.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A script that completes commands, their flags, and values of flags, without starting the program. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const completed = commands.map(completedCommand)
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](completed)
}
