import type { Command, CommandOption } from '../command.ts'
import { bashScript } from './bash-script.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A flag of a command, as shells complete it. */
export interface Flag {
  /** `--output` */
  readonly long: string
  /** `-o` */
  readonly short?: string | undefined
  readonly description: string
  /** What follows it. Absent: nothing. */
  readonly value?: FlagValue | undefined
}

export interface FlagValue {
  /** `path` of `--kubeconfig <path>` */
  readonly name: string
  /** All texts that there are, when they are few. */
  readonly words?: readonly string[] | undefined
  readonly isFile: boolean
}

export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly flags: readonly Flag[]
}

/** A script that completes commands, their flags, and values of flags, without starting the program. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const completed = commands.map(({ name, summary, options }) => ({ name, summary, flags: options.map(flagOf) }))
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](completed)
}

const FILES = new Set(['path', 'file', 'dir', 'folder', 'program'])

function flagOf({ flags, description, choices, kind }: CommandOption): Flag {
  const [, short, long = flags, placeholder] = /^(?:(-\w), )?(--[\w-]+)(?: [<[]([^>\]]+)[>\]])?$/.exec(flags) ?? []
  const words = choices ?? kind?.words
  const value = placeholder === undefined ? undefined : { name: placeholder, words, isFile: FILES.has(placeholder) }
  return { long, short, description, value }
}
