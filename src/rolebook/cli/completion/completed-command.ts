import type { Command, CommandOption } from '../command.ts'

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

export function completedCommand({ name, summary, options }: Command): CompletedCommand {
  return { name, summary, flags: options.map(flagOf) }
}

const FILES = new Set(['path', 'file', 'dir', 'folder', 'program'])

function flagOf({ flags, description, choices, kind }: CommandOption): Flag {
  const [, short, long = flags, placeholder] = /^(?:(-\w), )?(--[\w-]+)(?: [<[]([^>\]]+)[>\]])?$/.exec(flags) ?? []
  const words = choices ?? kind?.words
  const value = placeholder === undefined ? undefined : { name: placeholder, words, isFile: FILES.has(placeholder) }
  return { long, short, description, value }
}
